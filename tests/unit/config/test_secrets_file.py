"""The secret key file: private, random, and the same for processes that start together."""

import stat
import threading
from pathlib import Path

import pytest

from config.secrets_file import read_or_create_secret


def test_the_key_is_written_for_its_owner_alone(tmp_path: Path) -> None:
    key = read_or_create_secret(tmp_path / "secret_key")

    assert stat.S_IMODE((tmp_path / "secret_key").stat().st_mode) == 0o600
    assert (tmp_path / "secret_key").read_text() == key
    assert len(key) >= 60


def test_the_next_start_reads_the_same_key(tmp_path: Path) -> None:
    assert read_or_create_secret(tmp_path / "key") == read_or_create_secret(tmp_path / "key")


def test_two_installations_have_different_keys(tmp_path: Path) -> None:
    keys = {read_or_create_secret(tmp_path / str(n)) for n in range(20)}

    assert len(keys) == 20


def test_a_key_that_somebody_wrote_by_hand_is_used_without_its_line_end(tmp_path: Path) -> None:
    (tmp_path / "key").write_text("my own key\n")

    assert read_or_create_secret(tmp_path / "key") == "my own key"


def test_an_empty_file_says_what_to_do(tmp_path: Path) -> None:
    (tmp_path / "key").touch()

    with pytest.raises(RuntimeError) as error:
        read_or_create_secret(tmp_path / "key")

    assert str(error.value) == (
        f"{tmp_path / 'key'} is empty. Delete it and start again: a new secret key will be written."
    )
    assert (tmp_path / "key").read_text() == ""


def test_processes_that_start_together_agree(tmp_path: Path) -> None:
    keys: list[str] = []
    threads = [threading.Thread(target=lambda: keys.append(read_or_create_secret(tmp_path / "key"))) for _ in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert len(keys) == 16
    assert len(set(keys)) == 1


def test_a_folder_that_does_not_exist_is_no_reason_to_go_on_without_a_key(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        read_or_create_secret(tmp_path / "missing" / "key")
