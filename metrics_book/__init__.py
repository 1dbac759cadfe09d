"""What the notebooks of the book import beside `metrics_lib`.

``metrics_book.practice`` checks a metric that a reader wrote and names the mistake, ``metrics_book.style`` has the
book's style of figures, and ``metrics_book.printed`` judges a printed number by its last digit and sets tables.
"""

from metrics_lib import __version__ as __version__
