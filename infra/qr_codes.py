"""QR codes."""

from io import BytesIO


def qr_code(text: str) -> bytes:
    """QR code of a URL as an SVG file."""
    import segno  # only this picture needs it

    picture = BytesIO()
    segno.make_qr(text).save(picture, kind="svg", scale=5, border=3, light="#fff")
    return picture.getvalue()
