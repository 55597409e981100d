"""The media files that the rows of an export name."""

from typing import IO, Any

from annotate.actions.jobs import JobFailed
from annotate.models import Asset


class Media:
    """Finds stored files by the paths ``media/<sha256>.<type>`` that rows name."""

    def __init__(self) -> None:
        self.assets: dict[str, Asset | None] = {}

    def is_there(self, path: str) -> bool:
        """Whether the file is stored, whole."""
        asset = self._asset(path)
        if asset is None or not asset.file.storage.exists(str(asset.file.name)):
            return False
        return bool(asset.file.size == asset.bytes)

    def load(self, path: str) -> bytes:
        """Return the bytes of a file.

        :raises JobFailed: when it is missing.
        """
        with self.open(path) as file:
            return bytes(file.read())

    def open(self, path: str) -> IO[Any]:
        """Open a file to read.

        :raises JobFailed: when it is missing.
        """
        asset = self._asset(path)
        try:
            if asset is None:
                raise FileNotFoundError(path)
            return asset.file.storage.open(str(asset.file.name), "rb")
        except FileNotFoundError as error:
            raise JobFailed(f"The stored file of {path} is missing. Restore it from a backup.") from error

    def _asset(self, path: str) -> Asset | None:
        sha256 = path.removeprefix("media/").split(".", 1)[0]
        if len(self.assets) > 1000:  # rows beside one another share files; all of them need not be remembered
            self.assets.clear()
        if sha256 not in self.assets:
            self.assets[sha256] = Asset.objects.filter(sha256=sha256).first()
        return self.assets[sha256]
