"""`make release` refuses what does not fit together; building and trying it all is for the command itself."""

import hashlib
import importlib.util
import pathlib
import subprocess
from types import ModuleType

import pytest

ROOT = pathlib.Path(__file__).parents[1]


@pytest.fixture
def release(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(ROOT / "tools"))
    spec = importlib.util.spec_from_file_location("release", ROOT / "tools" / "release.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def repository(folder: pathlib.Path, *tags: str) -> pathlib.Path:
    """A checkout with one commit and these tags."""
    me = ("-c", "user.name=Anna", "-c", "user.email=anna@example.org")
    (folder / "file").write_text("x")
    for words in (("init", "-q"), ("add", "."), (*me, "commit", "-q", "-m", "x"), *(("tag", tag) for tag in tags)):
        subprocess.run(["git", *words], cwd=folder, check=True)
    return folder


def test_the_version_follows_from_the_tag(
    release: ModuleType, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(release, "ROOT", repository(tmp_path, "v1.2.3", "other"))
    assert release.tagged() == "1.2.3"
    (tmp_path / "file").write_text("y")
    with pytest.raises(release.Unfit, match="Not everything is committed"):
        release.tagged()


def test_links_of_the_readme_lead_to_the_project_s_address_once_it_has_one(
    release: ModuleType, tmp_path: pathlib.Path
) -> None:
    """A package registry shows the README alone: a link to `docs/` would lead nowhere there."""
    text = "![a](docs/a.png) [b](docs/b.md#c) [d](https://e.org/f) [g](#h) [i](LICENSE)"
    assert release.absolute(text, "https://x.org/y", "1.2.3") == (
        "![a](https://x.org/y/raw/v1.2.3/docs/a.png) [b](https://x.org/y/blob/v1.2.3/docs/b.md#c) [d](https://e.org/f) "
        "[g](#h) [i](https://x.org/y/blob/v1.2.3/LICENSE)"
    )
    whole = release.absolute((ROOT / "README.md").read_text("utf-8"), "https://x.org/y", "1.2.3")
    assert whole.count("](https://x.org/y/") == whole.count("](") and "](docs" not in whole
    project = tmp_path / "pyproject.toml"
    project.write_text('[project]\nname = "x"\n')
    assert release.address_of(tmp_path) is None
    project.write_text('[project]\nname = "x"\n[project.urls]\nRepository = "https://x.org/y/"\n')
    assert release.address_of(tmp_path) == "https://x.org/y"


@pytest.mark.parametrize("tags", [(), ("other",), ("v1.2.3", "v1.2.4")])
def test_without_one_tag_there_is_no_release(
    release: ModuleType, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch, tags: tuple[str, ...]
) -> None:
    monkeypatch.setattr(release, "ROOT", repository(tmp_path, *tags))
    with pytest.raises(release.Unfit, match="no tag of a version"):
        release.tagged()


def test_the_version_of_the_tag_is_written_into_what_is_built(release: ModuleType, tmp_path: pathlib.Path) -> None:
    for name in release.STAMPED:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text((ROOT / name).read_text("utf-8"), "utf-8")
    release.stamp(tmp_path, "9.8.7")
    assert '\n__version__ = "9.8.7"\n' in (tmp_path / "src/ludoteca/__init__.py").read_text("utf-8")
    assert "\nversion: 9.8.7\n" in (tmp_path / "CITATION.cff").read_text("utf-8")
    (tmp_path / "CITATION.cff").write_text("title: x\n")
    with pytest.raises(release.Unfit, match=r"CITATION\.cff has no line"):
        release.stamp(tmp_path, "9.8.7")


def test_the_text_of_a_release_is_its_section_of_the_changelog(release: ModuleType) -> None:
    changes = "# What has changed\n\n## 2.0.0 (2026-01-02)\n\n- New.\n\n## 1.0.0 (2026-01-01)\n\n- Old.\n"
    assert release.section(changes, "2.0.0") == "- New.\n"
    assert release.section(changes, "1.0.0") == "- Old.\n"
    with pytest.raises(release.Unfit, match="no section"):
        release.section(changes, "3.0.0")


def test_checksums_are_as_the_usual_program_reads_them(release: ModuleType, tmp_path: pathlib.Path) -> None:
    file = tmp_path / "a.whl"
    file.write_bytes(b"abc")
    assert release.checksums([file]) == f"{hashlib.sha256(b'abc').hexdigest()}  a.whl\n"
