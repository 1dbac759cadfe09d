"""The plugins of pytest that are ours to choose; none is loaded because it is installed."""

pytest_plugins = ["nbval.plugin", "tests.forked_kernels"]
