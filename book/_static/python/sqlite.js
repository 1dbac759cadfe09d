// SQLite for the exercises in SQL: a table and a query go in, and rows or the words of an error come out. See README.md.

const [OK, ROW, DONE] = [0, 100, 101];
const [INTEGER, FLOAT, TEXT, BLOB] = [1, 2, 3, 4]; // kinds of values; all else is NULL
const LONGEST = 2000; // milliseconds for a query, as long as `check` waits
const OPERATIONS = 10_000; // of SQLite, between two looks at the clock
const MEMORY = { initial: 256, maximum: 1600 }; // pages of 64 KiB; beyond that SQLite says that there is none left

// SQLite calls no function of JavaScript itself, but one that another module takes in and passes on:
// (module (import "a" "b" (func (param i32) (result i32))) (export "b" (func 0)))
const HEAD = [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, 1, 6, 1, 0x60, 1, 0x7f, 1, 0x7f];
const PASSED_ON = Uint8Array.of(...HEAD, 2, 7, 1, 1, 0x61, 1, 0x62, 0, 0, 7, 5, 1, 1, 0x62, 0, 0);

const started = async (engine, memory) => {
  const module = await WebAssembly.compile(engine);
  const given = { env: {}, wasi_snapshot_preview1: {} };
  for (const { module: from, name } of WebAssembly.Module.imports(module)) given[from][name] = () => -1; // no files
  Object.assign(given.env, {
    memory,
    emscripten_date_now: Date.now,
    emscripten_get_now: () => performance.now(),
    emscripten_resize_heap: (size) => {
      try {
        return memory.grow(Math.ceil(((size >>> 0) - memory.buffer.byteLength) / 65_536)) && 1;
      } catch {
        return 0;
      }
    },
  });
  const { exports } = await WebAssembly.instantiate(module, given);
  exports.__wasm_call_ctors();
  return exports;
};

export const start = async (engine) => {
  const memory = new WebAssembly.Memory(MEMORY);
  const C = await started(engine, memory);
  const heap = () => new Uint8Array(memory.buffer);
  const number = (at) => new DataView(memory.buffer).getUint32(at, true);
  const decoded = (bytes) => new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  const copied = (text) => {
    const bytes = new TextEncoder().encode(text);
    const at = C.malloc(bytes.length + 1);
    if (!at) throw new RangeError("out of memory");
    heap().fill(0, at, at + bytes.length + 1).set(bytes, at);
    return at;
  };

  let end;
  const isLate = () => (performance.now() > end ? 1 : 0);
  const look = C.__indirect_function_table.grow(1);
  const passing = new WebAssembly.Instance(new WebAssembly.Module(PASSED_ON), { a: { b: isLate } });
  C.__indirect_function_table.set(look, passing.exports.b);

  const value = (statement, column) => {
    const kind = C.sqlite3_column_type(statement, column);
    if (kind === INTEGER || kind === FLOAT) return C.sqlite3_column_double(statement, column);
    if (kind !== TEXT && kind !== BLOB) return null;
    const from = (kind === TEXT ? C.sqlite3_column_text : C.sqlite3_column_blob)(statement, column);
    const bytes = heap().slice(from, from + C.sqlite3_column_bytes(statement, column));
    return kind === TEXT ? decoded(bytes) : bytes;
  };

  // On a new table, which statements in SQL make: at most so many rows and the number of columns; or why there are none.
  return (query, table, most) => {
    const texts = [];
    const statements = [];
    end = performance.now() + LONGEST;
    let db = 0;
    const check = (code) => {
      if ([OK, ROW, DONE].includes(code)) return code;
      const from = C.sqlite3_errmsg(db);
      throw new Error(decoded(heap().slice(from, heap().indexOf(0, from))));
    };
    try {
      for (const text of [":memory:", table, query, "12345678"]) texts.push(copied(text));
      const [name, filling, asking, places] = texts;
      const prepared = (from) => {
        const code = C.sqlite3_prepare_v2(db, from, -1, places, places + 4);
        statements.push(number(places));
        check(code);
        return [number(places), number(places + 4)];
      };
      const code = C.sqlite3_open(name, places);
      db = number(places);
      check(code);
      C.sqlite3_progress_handler(db, OPERATIONS, look, 0);
      check(C.sqlite3_exec(db, filling, 0, 0, 0));
      const [statement, rest] = prepared(asking);
      if (statement && prepared(rest)[0]) throw new Error("You can only execute one statement at a time.");
      const columns = C.sqlite3_column_count(statement);
      if (statement && !(columns && C.sqlite3_stmt_readonly(statement))) return { changes: true };
      const rows = [];
      while (rows.length < most && statement && check(C.sqlite3_step(statement)) === ROW) {
        rows.push(Array.from({ length: columns }, (_, column) => value(statement, column)));
      }
      return { rows, columns };
    } catch (error) {
      return { error: error.message };
    } finally {
      statements.forEach(C.sqlite3_finalize);
      C.sqlite3_close_v2(db);
      texts.forEach(C.free);
    }
  };
};
