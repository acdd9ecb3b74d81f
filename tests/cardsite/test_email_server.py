"""E-mails of the site reach a real SMTP server, as `EMAIL_URL` names it."""

import smtplib
import socketserver
from collections.abc import Iterator
from email import message_from_bytes, policy
from email.message import EmailMessage

import pytest
from django.core import mail

from accounts.models import User
from cardsite import environment
from cardsite.web import doctor
from notifications import email
from tests.receiver import serving

REPLIES = {"EHLO": "250-cards.example\r\n250 AUTH PLAIN", "AUTH": "535 Wrong password", "QUIT": "221 Bye"}


class Session(socketserver.StreamRequestHandler):
    """As much of SMTP as it takes to receive e-mails."""

    server: "EmailServer"

    def handle(self) -> None:
        self.say("220 cards.example")
        recipients: list[str] = []
        while line := self.rfile.readline().decode().strip():
            command, _, rest = line.partition(" ")
            command = command.upper()
            if command == "RCPT":
                recipients.append(rest.removeprefix("TO:").strip("<>"))
            elif command == "DATA":
                self.say("354 Go on")
                lines = iter(self.rfile.readline, b".\r\n")
                text = b"".join(line.removeprefix(b".") for line in lines)
                self.server.got.append((recipients, message_from_bytes(text, policy=policy.default)))
            self.say(REPLIES.get(command, "250 OK"))

    def say(self, line: str) -> None:
        self.wfile.write(f"{line}\r\n".encode())


class EmailServer(socketserver.ThreadingTCPServer):
    """got: each e-mail with those to whom it was sent."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Session)
        self.got: list[tuple[list[str], EmailMessage]] = []


@pytest.fixture
def server(settings: object) -> Iterator[EmailServer]:
    """An SMTP server to which the site sends."""
    with serving(EmailServer()) as server:
        for name, value in environment.mail(f"smtp://127.0.0.1:{server.server_address[1]}").items():
            setattr(settings, name, value)
        yield server


@pytest.mark.django_db
def test_a_confirmation_reaches_the_server_with_its_link(server: EmailServer) -> None:
    ann = User.objects.create(username="ann")
    email.send_confirmation_email(email.AddressConfirmation(ann.pk, "ann@cards.example", "https://cards.example"))
    [(recipients, received)] = server.got
    assert recipients == ["ann@cards.example"]
    assert received["From"] == "Fourth Seat <cards@localhost>"
    assert received["Subject"]
    assert "https://cards.example/notices/mail/confirm/" in received.get_content()


def test_a_server_that_is_away_is_an_error_and_no_silence(server: EmailServer) -> None:
    server.shutdown()
    server.server_close()
    with pytest.raises((OSError, smtplib.SMTPException)):
        mail.send_mail("Hello", "Text", None, ["ann@cards.example"])


def test_the_doctor_says_why_the_server_refuses_us(server: EmailServer, settings) -> None:
    assert [finding.is_wrong for finding in doctor.examine([doctor._mail])] == [False]
    settings.EMAIL_HOST_USER, settings.EMAIL_HOST_PASSWORD = "cards", "guess"
    (found,) = doctor.examine([doctor._mail])
    address = f"127.0.0.1:{settings.EMAIL_PORT}"
    assert found.text == f"The mail server {address} does not take e-mails: Wrong password. Correct EMAIL_URL."
