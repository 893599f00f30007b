"""Members of a zip that inflate take little memory."""

from __future__ import annotations

import subprocess
import sys
import zipfile

from .conftest import CHAPTER

BOMBS = """
import resource, sys
from coursekit.grade.intake import find_submissions
from coursekit.grade.class_files import UnusableError
def most(): return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
submissions = find_submissions(__import__("pathlib").Path(sys.argv[1]), "arithmetic", 1 << 20)
before = most()
reasons = 0
for submission in submissions:
    try:
        submission.read()
    except UnusableError:
        reasons += 1
print(reasons, most() - before)
"""


def test_bombs_take_little_memory(tmp_path):
    """Each holds 256 MiB, and must be read with 32 MiB of memory."""
    path, size = tmp_path / "class.zip", 256 << 20
    with zipfile.ZipFile(path, "w") as archive:
        for number, method in enumerate(
            (zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA)
        ):
            info = zipfile.ZipInfo(f"s_{number}_1_{CHAPTER}.ipynb")
            info.compress_type = method
            with archive.open(info, "w", force_zip64=True) as file:
                for _ in range(size >> 20):
                    file.write(bytes(1 << 20))
    ran = subprocess.run(
        [sys.executable, "-c", BOMBS, str(path)], capture_output=True, text=True, check=True
    )
    reasons, taken = map(int, ran.stdout.split())
    assert reasons == 3
    assert taken < 32
