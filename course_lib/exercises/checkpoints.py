"""JupyterLab's checkpoints in a folder of the course's own, where nobody else reads them or is in the way.

Beside a student's notebook nbgrader would warn of its checkpoint whenever it is handed in.
"""

from __future__ import annotations

import shutil
from pathlib import Path

from jupyter_server.services.contents.filecheckpoints import AsyncFileCheckpoints


class CourseCheckpoints(AsyncFileCheckpoints):
    """Keeps checkpoints below `root_dir`, in folders as those of the notebooks.

    Jupyter's own class makes no folders there, and falls back to one that all accounts and all copies of a course
    share, in the system's temporary folder.
    """

    def checkpoint_path(self, checkpoint_id: str, path: str) -> str:
        """Return where a file's checkpoint is."""
        Path(self.root_dir).mkdir(mode=0o700, parents=True, exist_ok=True)
        with self.perm_to_403():
            self._folder(path).parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        return str(super().checkpoint_path(checkpoint_id, path))

    async def rename_all_checkpoints(self, old_path: str, new_path: str) -> None:
        """Let the checkpoints go with a file, or with all files of a folder."""
        await super().rename_all_checkpoints(old_path, new_path)
        if self._folder(old_path).is_dir():
            shutil.rmtree(self._folder(new_path), ignore_errors=True)
            self._folder(new_path).parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._folder(old_path).rename(self._folder(new_path))

    async def delete_all_checkpoints(self, path: str) -> None:
        """Delete the checkpoints of a file, or of all files of a folder."""
        await super().delete_all_checkpoints(path)
        shutil.rmtree(self._folder(path), ignore_errors=True)

    def _folder(self, path: str) -> Path:
        """Return where the checkpoints of a folder's files are."""
        return Path(self._get_os_path(path.strip("/")))
