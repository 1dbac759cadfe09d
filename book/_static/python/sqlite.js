// SQLite by its functions in C, with what `sqlite.py` needs to be Python's module sqlite3. See README.md.

const MOST_MEMORY = 400e6; // bytes; beyond that SQLite says that there is none left
const [INTEGER, FLOAT, TEXT, BLOB] = [1, 2, 3, 4]; // kinds of values; all else is NULL
const [DENY, UTF8, DETERMINISTIC, ROW, DONE] = [1, 1, 0x800, 100, 101];
const TRANSIENT = -1; // SQLite copies what it is given
const DOUBLE_QUOTED = [1013, 1014]; // "abc" is a text where no column has the name, as Python has it
const OPERATIONS = 10_000; // of SQLite, between two looks at the clock

// WebAssembly calls no function of JavaScript itself, but one of another module, which imports it and exports it.
const callable = (parameters, results, call) => {
  const numbers = (count) => [count, ...Array(count).fill(0x7f)];
  const type = [1, 0x60, ...numbers(parameters), ...numbers(results)];
  const head = [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0];
  const imported = [2, 7, 1, 1, 0x61, 1, 0x62, 0, 0];
  const exported = [7, 5, 1, 1, 0x62, 0, 0];
  const module = new WebAssembly.Module(Uint8Array.of(...head, 1, type.length, ...type, ...imported, ...exported));
  return new WebAssembly.Instance(module, { a: { b: call } }).exports.b;
};

// `isLate` tells whether time is over; what SQLite is at is interrupted then.
export const start = async (bytes, isLate) => {
  const memory = new WebAssembly.Memory({ initial: 256, maximum: 32_768 });
  const module = await WebAssembly.compile(bytes);
  const given = { env: {}, wasi_snapshot_preview1: {} };
  for (const { module: from, name } of WebAssembly.Module.imports(module)) given[from][name] = () => -1; // no files
  Object.assign(given.env, {
    memory,
    emscripten_date_now: Date.now,
    emscripten_get_now: () => performance.now(),
    _localtime_js: (seconds, at) => {
      const date = new Date(1000 * Number(view().getBigInt64(seconds, true)));
      const day = [date.getDate(), date.getMonth(), date.getFullYear() - 1900];
      const parts = [date.getSeconds(), date.getMinutes(), date.getHours(), ...day];
      parts.forEach((part, i) => view().setInt32(at + 4 * i, part, true));
    },
    emscripten_resize_heap: (size) => {
      const more = (size >>> 0) - memory.buffer.byteLength;
      if (size >>> 0 > MOST_MEMORY) return 0;
      memory.grow(Math.ceil(more / 65_536));
      return 1;
    },
  });
  const C = (await WebAssembly.instantiate(module, given)).exports;
  C.__wasm_call_ctors();

  const heap = () => new Uint8Array(memory.buffer);
  const view = () => new DataView(memory.buffer);
  const allocated = (size) => {
    const at = C.malloc(size);
    if (!at) throw new RangeError("out of memory");
    return at;
  };
  const copied = (bytes) => {
    const at = allocated(bytes.length + 1);
    heap().set(bytes, at);
    heap()[at + bytes.length] = 0;
    return at;
  };
  const copiedText = (text) => copied(new TextEncoder().encode(text));
  const text = (at) => (at ? new TextDecoder().decode(heap().slice(at, heap().indexOf(0, at))) : null);

  // Many values travel as one array of bytes: of each its kind, then a number of eight bytes, or the length and the
  // bytes of a text or blob.

  class Packed {
    bytes = new Uint8Array(256);
    length = 0;

    add(value) {
      const kind = C.sqlite3_value_type(value);
      const isLong = kind === TEXT || kind === BLOB;
      const from = isLong && (kind === TEXT ? C.sqlite3_value_text(value) : C.sqlite3_value_blob(value));
      const size = isLong ? C.sqlite3_value_bytes(value) : 8;
      const least = this.length + 5 + size;
      if (least > this.bytes.length) {
        const more = new Uint8Array(2 * least);
        more.set(this.bytes);
        this.bytes = more;
      }
      const out = new DataView(this.bytes.buffer, this.length);
      out.setUint8(0, kind);
      if (kind === INTEGER) out.setBigInt64(1, C.sqlite3_value_int64(value), true);
      else if (kind === FLOAT) out.setFloat64(1, C.sqlite3_value_double(value), true);
      else if (isLong) {
        out.setUint32(1, size, true);
        this.bytes.set(heap().subarray(from, from + size), this.length + 5);
      }
      this.length += isLong ? 5 + size : kind === INTEGER || kind === FLOAT ? 9 : 1;
    }

    taken() {
      return this.bytes.subarray(0, this.length);
    }
  }

  // Give the value at a place to sqlite3_bind_... or sqlite3_result_..., and return the place of the next.
  const give = (at, verb, ...to) => {
    const [kind, call] = [view().getUint8(at), (name, ...value) => C[`sqlite3_${verb}_${name}`](...to, ...value)];
    if (kind === INTEGER) call("int64", view().getBigInt64(at + 1, true));
    else if (kind === FLOAT) call("double", view().getFloat64(at + 1, true));
    else if (kind === TEXT || kind === BLOB) {
      const size = view().getUint32(at + 1, true);
      call(kind === TEXT ? "text" : "blob", at + 5, size, TRANSIENT);
      return at + 5 + size;
    } else {
      call("null");
      return at + 1;
    }
    return at + 9;
  };

  const bind = (statement, at) => {
    for (let i = 1; i <= C.sqlite3_bind_parameter_count(statement); i++) at = give(at, "bind", statement, i);
    return at;
  };

  // What SQLite calls back, by its number; no error may leave through compiled code.

  const held = new Map();
  let last = 0;
  const hold = (db, call) => {
    if (!call) return 0;
    held.set(++last, { db, call: call.copy() });
    return last;
  };
  const add = (parameters, results, call) => {
    const at = C.__indirect_function_table.grow(1);
    C.__indirect_function_table.set(at, callable(parameters, results, call));
    return at;
  };
  const onProgress = add(1, 1, (number) => {
    try {
      return isLate() || Boolean(held.get(number)?.call()) ? 1 : 0;
    } catch {
      return 1;
    }
  });
  const onAction = add(6, 1, (number, action, ...names) => {
    try {
      return held.get(number).call(action, ...names.map(text));
    } catch {
      return DENY;
    }
  });
  const onCall = add(3, 0, (context, count, values) => {
    const packed = new Packed();
    let at;
    try {
      for (let i = 0; i < count; i++) packed.add(view().getUint32(values + 4 * i, true));
      at = copied(held.get(C.sqlite3_user_data(context)).call(packed.taken()));
      give(at, "result", context);
    } catch {
      at = copiedText("user-defined function raised exception");
      C.sqlite3_result_error(context, at, -1);
    }
    C.free(at);
  });

  const setProgress = (db, call, operations = OPERATIONS) =>
    C.sqlite3_progress_handler(db, operations, onProgress, hold(db, call));

  const open = () => {
    const [name, place] = [copiedText(":memory:"), allocated(4)];
    C.sqlite3_open(name, place);
    const db = view().getUint32(place, true);
    [name, place].forEach(C.free);
    setProgress(db);
    for (const option of DOUBLE_QUOTED) C.sqlite3_wasm_db_config_ip(db, option, 1, 0);
    return db;
  };

  const close = (db) => {
    C.sqlite3_close_v2(db);
    for (const [number, one] of held) {
      if (one.db !== db) continue;
      one.call.destroy();
      held.delete(number);
    }
  };

  // The code of the outcome, the statement and the text after it.
  const prepare = (db, sql) => {
    const [from, places] = [copiedText(sql), allocated(8)];
    const code = C.sqlite3_prepare_v2(db, from, -1, places, places + 4);
    const [statement, rest] = [0, 4].map((more) => view().getUint32(places + more, true));
    const prepared = [code, statement, text(rest)];
    [from, places].forEach(C.free);
    return prepared;
  };

  // Run the statement with each of so many rows of values.
  const runMany = (statement, bytes, count) => {
    const from = copied(bytes);
    let code = DONE;
    for (let at = from; count > 0 && code === DONE; count--) {
      at = bind(statement, at);
      do code = C.sqlite3_step(statement);
      while (code === ROW);
      C.sqlite3_reset(statement);
    }
    C.free(from);
    return code;
  };

  const bindOne = (statement, bytes) => {
    const from = copied(bytes);
    bind(statement, from);
    C.free(from);
  };

  // At most so many of the next rows, after the code of the last step.
  const rows = (statement, most) => {
    const [packed, width] = [new Packed(), C.sqlite3_column_count(statement)];
    let code = ROW;
    for (; most > 0 && (code = C.sqlite3_step(statement)) === ROW; most--) {
      for (let i = 0; i < width; i++) packed.add(C.sqlite3_column_value(statement, i));
    }
    return [code, packed.taken()];
  };

  const setAuthorizer = (db, call) => C.sqlite3_set_authorizer(db, call ? onAction : 0, hold(db, call));

  const createFunction = (db, name, count, isDeterministic, call) => {
    const at = copiedText(name);
    const flags = UTF8 | (isDeterministic ? DETERMINISTIC : 0);
    const code = C.sqlite3_create_function(db, at, count, flags, hold(db, call), onCall, 0, 0);
    C.free(at);
    return code;
  };

  const ours = { memory, text, open, close, prepare, bindOne, runMany, rows };
  return { ...C, ...ours, setProgress, setAuthorizer, createFunction };
};
