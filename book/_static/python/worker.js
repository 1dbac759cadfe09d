// A module worker: starts Python from this folder, and runs the cells that it is sent. README.md says what stands here.

const here = (name) => new URL(name, import.meta.url);
const HOME = "/home/pyodide"; // where Python starts
const written = new Set(); // the data of the page that stand there
let received = 0;
let told = 0;
let starting;

// Every few jumps and calls Python looks into a buffer, whether it is to be interrupted. This one looks at the clock, and
// once time is over gives an interrupt each 50 ms, for code may catch one.
const SIGINT = 2;
const clock = {
  end: Infinity,
  get 0() {
    const now = performance.now();
    if (now < this.end) return 0;
    this.end = now + 50;
    return SIGINT;
  },
  set 0(_) {},
};

// Tell how much of the runtime has come; the bytes are those of the files, however they travel.
// Pyodide waits for ever for a file that is missing, so that is told, too.
const plainFetch = self.fetch;
let lose;
const lost = new Promise((_, reject) => {
  lose = reject;
});
const counted = async (...request) => {
  const response = await plainFetch(...request).catch((error) => ({ error }));
  if (!response.ok) {
    const why = new Error(`${request[0].url ?? request[0]}: ${response.error ?? response.status}`);
    lose(why);
    throw why;
  }
  const count = async (reader) => {
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      received += part.value.length;
      if (performance.now() - told < 100) continue;
      told = performance.now();
      postMessage({ received });
    }
  };
  count(response.clone().body.getReader()).catch(() => {}); // whoever reads the response itself tells of a failure
  return response;
};

const load = (...parts) => Promise.race([lost, Promise.all(parts)]);
const bytes = async (address) => new Uint8Array(await (await counted(address)).arrayBuffer());
const text = async (name) => (await counted(here(`${name}${location.search}`))).text();

// On a page with exercises in SQL its address is given, and Python finds SQLite as a module.
const startSqlite = async (script, engine) => (await import(script)).start(await bytes(engine));

const start = async (wheels, sqlite) => {
  const { loadPyodide } = await import("./pyodide.mjs");
  self.fetch = counted; // by which Pyodide loads
  const runtime = loadPyodide({ indexURL: here("./").href, packages: ["numpy"] });
  const query = sqlite && startSqlite(sqlite, here("sqlite3.wasm"));
  const [python, program, run, ...packages] = await load(runtime, text("run.py"), query, ...wheels.map(bytes));
  self.fetch = plainFetch;
  python.setInterruptBuffer(clock);
  if (run) python.registerJsModule("sqlite_of_page", { run });
  packages.forEach((archive) => python.unpackArchive(archive, "wheel"));
  const names = python.toPy({});
  python.runPython(program, { globals: names, filename: "run.py" });
  return { python, run: names.get("run") };
};

onmessage = async ({ data: { wheels, files, cells, limit, sqlite } }) => {
  received = 0;
  try {
    const { python, run } = await (starting ??= start(wheels, sqlite));
    for (const { name, address } of files.filter((file) => !written.has(file.name))) {
      const path = `${HOME}/${name}`;
      python.FS.mkdirTree(path.slice(0, path.lastIndexOf("/")));
      python.FS.writeFile(path, await bytes(address));
      written.add(name);
    }
    const texts = python.toPy(cells);
    const results = run(texts, limit, (cell) => {
      clock.end = performance.now() + 1000 * limit;
      postMessage({ cell });
    });
    clock.end = Infinity;
    const done = results.toJs({ dict_converter: Object.fromEntries });
    results.destroy();
    texts.destroy();
    postMessage({ done, heap: python._module.HEAP8.length });
  } catch (error) {
    postMessage({ failed: String(error.message ?? error) });
  }
};
