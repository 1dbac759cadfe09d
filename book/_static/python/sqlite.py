"""Python's module sqlite3 in the page, as far as the book uses it.

`worker.js` gives it its name, and `sqlite.js` as `_sqlite3` what it calls. README.md says what is not here.
"""

import _sqlite3 as engine
import re
import struct
from collections import deque
from itertools import islice
from weakref import WeakSet

from pyodide.ffi import to_js

SQLITE_OK, SQLITE_DENY, SQLITE_IGNORE = 0, 1, 2
SQLITE_READ, SQLITE_SELECT, SQLITE_TRANSACTION, SQLITE_FUNCTION, SQLITE_RECURSIVE = 20, 21, 22, 31, 33
INTERRUPTED, ROW, DONE = 9, 100, 101
WRITING = 2  # a transaction
INTEGER, FLOAT, TEXT, BLOB, NULL = range(1, 6)
MOST_ROWS = 1000  # that are fetched at once
SPACE = re.compile(r"(?:\s|--[^\n]*|/\*.*?(?:\*/|\Z))*+", re.DOTALL)
CHANGES = re.compile(SPACE.pattern + r"(?:insert|update|delete|replace)\b", re.DOTALL | re.IGNORECASE)

connections = WeakSet()
sqlite_version = engine.text(engine.sqlite3_libversion())


class Warning(Exception):  # noqa: A001, N818
    """Is raised by older versions of Python."""


class Error(Exception):
    """Whatever SQLite refuses."""


class DatabaseError(Error):
    """What the authorizer denies, and the base of the others."""


class DataError(DatabaseError):
    """A value that is too large."""


class IntegrityError(DatabaseError):
    """A constraint that is not met."""


class OperationalError(DatabaseError):
    """Most errors of SQLite, such as those in the text of a statement."""


class ProgrammingError(DatabaseError):
    """A call that makes no sense."""


ERRORS = {7: MemoryError, 18: DataError, 19: IntegrityError, 20: IntegrityError, 23: DatabaseError}


def packed(values):
    """The bytes of many values, as `sqlite.js` reads them."""
    return b"".join(map(pack, range(1, len(values) + 1), values))


def pack(place, value):
    if value is None:
        return bytes([NULL])
    if isinstance(value, float):
        return struct.pack("<Bd", FLOAT, value)
    if isinstance(value, int):
        if not -(2**63) <= value < 2**63:
            raise OverflowError("Python int too large to convert to SQLite INTEGER")
        return struct.pack("<Bq", INTEGER, value)
    if isinstance(value, str | bytes):
        kind, value = (TEXT, value.encode()) if isinstance(value, str) else (BLOB, value)
        return struct.pack("<BI", kind, len(value)) + value
    raise ProgrammingError(f"Error binding parameter {place}: type '{type(value).__name__}' is not supported")


def unpacked(data):
    values, at, numbers = [], 0, {INTEGER: struct.Struct("<q"), FLOAT: struct.Struct("<d")}
    while at < len(data):
        kind = data[at]
        at += 1
        if kind in numbers:
            values += numbers[kind].unpack_from(data, at)
            at += 8
        elif kind == NULL:
            values.append(None)
        else:
            start = at + 4
            at = start + int.from_bytes(data[at:start], "little")
            values.append(data[start:at] if kind == BLOB else decoded(data[start:at]))
    return values


def decoded(text):
    try:
        return text.decode()
    except UnicodeDecodeError:
        raise OperationalError(f"Could not decode to UTF-8: {text!r}") from None


def guarded(call, refusal):
    """What SQLite calls: no error leaves it, not even an exit."""

    def answer(*arguments):
        try:
            return call(*arguments)
        except BaseException:
            return refusal

    return answer


class Connection:
    def __init__(self):
        self._open = engine.open()
        connections.add(self)

    def close(self):
        if self._open is not None:
            engine.close(self._open)
        self._open = None

    __del__ = close

    @property
    def _db(self):
        if self._open is None:
            raise ProgrammingError("Cannot operate on a closed database.")
        return self._open

    def _check(self, code):
        if code in (SQLITE_OK, ROW, DONE):
            return
        if code == INTERRUPTED:
            for _ in range(1000):  # Python looks whether time is over: then that is told, and not what SQLite was at
                pass
        raise ERRORS.get(code, OperationalError)(engine.text(engine.sqlite3_errmsg(self._db)))

    def cursor(self):
        return Cursor(self)

    def execute(self, sql, parameters=()):
        return Cursor(self).execute(sql, parameters)

    def executemany(self, sql, rows):
        return Cursor(self).executemany(sql, rows)

    def _unless_done(self, sql):
        try:
            self.execute(sql)
        except OperationalError as error:
            if "transaction" not in str(error):  # one has begun, or none has
                raise

    def _begin(self):
        if engine.sqlite3_txn_state(self._db, 0) != WRITING:
            self._unless_done("BEGIN")

    def commit(self):
        self._unless_done("COMMIT")

    def rollback(self):
        self._unless_done("ROLLBACK")

    def __enter__(self):
        return self

    def __exit__(self, kind, *_):
        if kind is None:
            self.commit()
        else:
            self.rollback()

    def create_function(self, name, narg, func, *, deterministic=False):
        call = guarded(lambda data: to_js(packed([func(*unpacked(data.to_bytes()))])), None)
        self._check(engine.createFunction(self._db, name, narg, deterministic, call))

    def set_authorizer(self, callback):
        def allowed(*action):
            said = callback(*action)
            return said if isinstance(said, int) else SQLITE_DENY

        engine.setAuthorizer(self._db, callback and guarded(allowed, SQLITE_DENY))

    def set_progress_handler(self, callback, n):
        if callback is None or n < 1:
            engine.setProgress(self._db)
        else:
            engine.setProgress(self._db, guarded(lambda: bool(callback()), True), n)


class Cursor:
    _statement = 0  # none, or none any more

    def __init__(self, connection):
        self.connection = connection
        self._reset()

    def _reset(self):
        self._end()
        self.description, self._rows, self._error, self._most = None, deque(), None, 1

    def _end(self):
        engine.sqlite3_finalize(self._statement)
        self._statement = 0

    __del__ = _end

    def _prepare(self, sql):
        self._reset()
        db = self.connection._db
        if "\0" in sql:
            raise ProgrammingError("the query contains a null character")
        code, self._statement, rest = engine.prepare(db, sql)
        self.connection._check(code)
        if SPACE.fullmatch(rest) is None:
            raise ProgrammingError("You can only execute one statement at a time.")
        self._width = engine.sqlite3_column_count(self._statement)
        self._needed = engine.sqlite3_bind_parameter_count(self._statement)

    def _packed(self, parameters):
        if isinstance(parameters, dict):
            raise ProgrammingError("in the page parameters are a sequence, and each stands as ? in the statement")
        if len(parameters) != self._needed:
            raise ProgrammingError(
                "Incorrect number of bindings supplied. "
                f"The current statement uses {self._needed}, and there are {len(parameters)} supplied."
            )
        return packed(parameters)

    def execute(self, sql, parameters=()):
        self._prepare(sql)
        engine.bindOne(self._statement, to_js(self._packed(parameters)))
        if CHANGES.match(sql):
            self.connection._begin()
        names = [engine.text(engine.sqlite3_column_name(self._statement, i)) for i in range(self._width)]
        self.description = tuple((name, *[None] * 6) for name in names) or None
        if self._statement:  # there is more than a comment
            self._fetch()
        return self

    def _fetch(self):
        """Fetch one row and then twice as many each time, as each crossing into SQLite costs."""
        code, data = engine.rows(self._statement, self._most)
        values = iter(unpacked(data.to_bytes()))
        self._rows.extend(zip(*[values] * self._width, strict=True))
        self._most = min(2 * self._most, MOST_ROWS)
        try:
            self.connection._check(code)
        except Error as error:
            self._error = error
        if code != ROW:
            self._end()
        if self._error and not self._rows:
            raise self._error

    def executemany(self, sql, rows):
        self._prepare(sql)
        if not CHANGES.match(sql):
            raise ProgrammingError("executemany() can only execute DML statements.")
        self.connection._begin()
        batch = []
        try:
            for row in rows:
                batch.append(self._packed(row))
                if len(batch) == MOST_ROWS:
                    full, batch = batch, []
                    self._run(full)
        finally:  # what comes before a row that is refused is done, as everywhere
            self._run(batch)
            self._end()
        return self

    def _run(self, batch):
        self.connection._check(engine.runMany(self._statement, to_js(b"".join(batch)), len(batch)))

    def __iter__(self):
        return self

    def __next__(self):
        _ = self.connection._db  # is it open?
        if not self._rows and self._statement:
            self._fetch()
        if self._rows:
            return self._rows.popleft()
        if self._error:
            raise self._error
        raise StopIteration

    def fetchone(self):
        return next(self, None)

    def fetchmany(self, size=1):
        return list(islice(self, size))

    def fetchall(self):
        return list(self)


def connect(database):
    if database != ":memory:":
        raise OperationalError("unable to open database file: in the page there is only ':memory:'")
    return Connection()


def close_all():
    """Close what a run left open: a function that SQLite may call keeps all it knows, and so its connection."""
    for connection in list(connections):
        connection.close()
