"""The kernels of nbval are forks of a process that has imported what each of them would."""

import asyncio
import multiprocessing
import os
import sys
from pathlib import Path
from types import SimpleNamespace

from ipykernel.kernelspec import get_kernel_dict
from jupyter_client.kernelspec import KernelSpec
from jupyter_client.provisioning import KernelProvisionerFactory, LocalProvisioner
from nbval.kernel import NbvalKernelspecManager

CONTEXT = multiprocessing.get_context("forkserver")
CONTEXT.set_forkserver_preload(["ipykernel.kernelapp", "matplotlib.pyplot", "metrics_lib.plot", __name__])


def become(arguments: list[str], cwd: str, environment: dict[str, str]) -> None:
    """Be a kernel as if Python had been started with these arguments."""
    import matplotlib
    from ipykernel.kernelapp import IPKernelApp

    os.chdir(cwd)
    os.environ.clear()
    os.environ.update(environment, JPY_PARENT_PID=str(os.getppid()))  # a kernel ends with its parent
    matplotlib.rcParams["backend"] = "module://matplotlib_inline.backend_inline"  # too late for a variable
    sys.argv = ["ipykernel_launcher", *arguments]
    sys.path.remove(str(Path(__file__).parents[1]))  # pytest has put it there, Python would not
    with open(os.devnull, "w") as nothing:  # noqa: PTH123
        os.dup2(nothing.fileno(), 2)
    IPKernelApp.launch_instance()


class Forked(LocalProvisioner):
    """Forks where another would start a process."""

    async def launch_kernel(self, cmd: list[str], *, cwd: str, env: dict[str, str], **_: object) -> dict[str, object]:
        arguments = cmd[cmd.index("-m") + 2 :]
        self.process = CONTEXT.Process(target=become, args=(arguments, cwd, env))
        self.process.start()
        self.pid = self.process.pid
        return self.connection_info

    async def poll(self) -> int | None:
        return self.process.exitcode if self.process else 0

    async def wait(self) -> int | None:
        while await self.poll() is None:
            await asyncio.sleep(0.01)
        self.process = None
        return 0

    async def send_signal(self, signum: int) -> None:
        os.kill(self.pid, signum)

    async def kill(self, restart: bool = False) -> None:
        self.process.kill()


def forked(manager: NbvalKernelspecManager, name: str) -> KernelSpec:
    return KernelSpec(**get_kernel_dict() | {"metadata": {"kernel_provisioner": {"provisioner_name": "forked"}}})


KernelProvisionerFactory.instance().provisioners["forked"] = SimpleNamespace(name="forked", load=lambda: Forked)
NbvalKernelspecManager.get_kernel_spec = forked
