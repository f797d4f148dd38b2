"""What a media file is, by decoding it: its name and what anybody says of its type count for nothing."""

from __future__ import annotations

import hashlib
from pathlib import Path

from gumption.lines import read_whole
from gumption.rating.study import MediaFile
from gumption.records import GumptionError
from gumption.suites import image_of

__all__ = ["media_file"]

_LARGEST = 256 * 2**20
"""Bytes; a clip of 30 s in full high definition takes about 40 MB."""
_SIGNATURES = (b"\x89PNG", b"\xff\xd8\xff", b"GIF8", b"BM")
_CONTAINERS = {"mov": "video/mp4", "matroska": "video/webm"}
_PLAYED = {"h264", "vp8", "vp9", "av1"}
"""Codecs that browsers play."""


def media_file(path: Path, sha256: str) -> tuple[MediaFile, str]:
    """The picture or clip in `path`, and a warning for raters' browsers, "" where there is none.

    Raises GumptionError for a file that is neither, is too large, or whose bytes are not those of the hash.
    """
    data = read_whole(path, _LARGEST, "make it smaller")
    if hashlib.sha256(data).hexdigest() != sha256:
        raise GumptionError("the file was altered", where=str(path), remedy="put the original back")
    try:
        if data.startswith(_SIGNATURES) or (data[:4] == b"RIFF" and data[8:12] == b"WEBP"):
            return MediaFile(str(path), image_of(data).media_type, sha256), ""
    except GumptionError as error:
        raise GumptionError(error.problem, where=str(path), remedy=error.remedy) from error
    return _clip(path, sha256)


def _clip(path: Path, sha256: str) -> tuple[MediaFile, str]:
    try:
        import av
    except ImportError as error:
        raise GumptionError("clips need the package av", remedy="pip install 'gumption[video]'") from error
    remedy = "convert it: ffmpeg -i CLIP -c:v libx264 -pix_fmt yuv420p -movflags +faststart OUT.mp4"
    try:
        # The formats are named, so that no playlist or description makes FFmpeg open other files.
        with av.open(
            path, options={"format_whitelist": "mov,matroska", "protocol_whitelist": "file"}
        ) as clip:
            media_type = _CONTAINERS.get(clip.format.name.split(",")[0])
            codec = clip.streams.video[0].codec_context.name if clip.streams.video else ""
            decoded = next(iter(clip.decode(video=0)), None) if codec else None
    except (av.FFmpegError, OSError, ValueError) as error:
        raise GumptionError(
            f"neither a picture nor an MP4 or WebM clip ({error})", where=str(path), remedy=remedy
        ) from error
    if media_type is None or decoded is None:
        raise GumptionError("no MP4 or WebM clip with a picture in it", where=str(path), remedy=remedy)
    told = "" if codec in _PLAYED else f"{path.name}: most browsers do not play {codec}; {remedy}"
    return MediaFile(str(path), media_type, sha256), told
