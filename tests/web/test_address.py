"""Where pages are served, and how it is told: addresses, the QR code on a screen, the name."""

import socket

import numpy as np
import pytest
from PIL import Image

from companion.scan import picture
from companion.web import address
from companion.web.address import AddressError, Interface

LAN, DOCKER = Interface("wlan0", "192.168.178.23"), Interface("docker0", "172.17.0.1")
CABLE, INVENTED = Interface("eth1", "10.0.0.5"), Interface("eth2", "169.254.7.7")
PUBLIC = Interface("eth0", "8.8.4.4")


@pytest.mark.parametrize(
    ("interfaces", "usual"),
    [
        ((DOCKER, LAN), LAN.address),
        ((PUBLIC, LAN), LAN.address),
        ((PUBLIC,), "127.0.0.1"),
        ((), "127.0.0.1"),
        ((DOCKER,), "127.0.0.1"),
    ],
)
def test_the_usual_address_is_one_of_this_network(interfaces: tuple[Interface, ...], usual: str) -> None:
    assert address.default_host(interfaces) == usual


def test_of_several_networks_the_first_is_the_one_that_leads_on() -> None:
    interfaces = (PUBLIC, INVENTED, DOCKER, LAN, CABLE)
    assert address.sort_interfaces(interfaces, "") == (CABLE, LAN, INVENTED, DOCKER, PUBLIC)
    assert address.sort_interfaces(interfaces, LAN.address) == (LAN, CABLE, INVENTED, DOCKER, PUBLIC)
    assert address.sort_interfaces(interfaces, PUBLIC.address)[:2] == (CABLE, LAN)


def test_which_network_was_chosen_is_said_with_the_others() -> None:
    twice = Interface("eth3", "192.168.178.24")
    assert address.describe_alternatives(LAN.address, (LAN, DOCKER, twice)) == ""
    assert address.other_networks(LAN.address, (LAN, DOCKER, twice)) == (DOCKER.network,)
    assert address.other_networks("127.0.0.1", (LAN, DOCKER)) == ()
    sentence = address.describe_alternatives(LAN.address, (LAN, CABLE, Interface("Ethernet 2", "10.0.9.1"), DOCKER))
    assert sentence == (
        'Phones must be in the network of wlan0; for another: companion serve --interface eth1 (or "Ethernet 2").'
    )
    assert "join one" in address.describe_no_network(())
    assert address.describe_no_network((DOCKER,)).endswith("companion serve --interface docker0.")


def test_no_interface_is_loopback() -> None:
    assert all(not each.address.startswith("127.") for each in address.find_interfaces())


def test_browsers_may_know_pages_by_these_names() -> None:
    assert address.list_origins("192.168.178.23", 8686, (LAN, DOCKER), ("companion-den.local",)) == {
        "http://192.168.178.23:8686",
        "http://companion-den.local:8686",
    }
    assert address.list_origins("127.0.0.1", 80, ()) == {"http://127.0.0.1", "http://localhost"}
    everywhere = address.list_origins("0.0.0.0", 8686, (LAN, DOCKER))
    assert {"http://192.168.178.23:8686", "http://172.17.0.1:8686", "http://localhost:8686"} <= everywhere
    assert "http://0.0.0.0:8686" not in everywhere


@pytest.mark.parametrize(
    ("host", "sentence"),
    [
        ("0.0.0.0", "All networks"),
        ("::", "All networks"),
        ("127.0.0.1", "Only this machine"),
        ("8.8.4.4", "whole internet"),
        ("192.168.178.23", ""),
        ("den.local", ""),
    ],
)
def test_it_is_said_who_reaches_the_pages(host: str, sentence: str) -> None:
    assert address.describe_exposure(host).count(sentence) == 1 if sentence else address.describe_exposure(host) == ""


def test_a_port_that_is_taken_is_said() -> None:
    with address.listen("127.0.0.1", 0) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(AddressError, match=f"Another program already uses port {port} of 127.0.0.1"):
            address.listen("127.0.0.1", port)
    with pytest.raises(AddressError, match="There is no address “no such place”"):
        address.listen("no such place", 0)


@pytest.mark.parametrize("url", ["http://192.168.178.23:8686", "http://10.0.0.5", "http://companion-den.local:18686"])
def test_a_photograph_of_the_screen_reads(url: str) -> None:
    rows = address.render_qr(url)
    assert len(rows) <= 19
    assert max(map(len, rows)) <= 37
    # A cell of a terminal is twice as high as wide; from 50 cm a module is some four points of a photograph.
    dots = np.array(
        [
            [cell in "█▀" for cell in row] if half == 0 else [cell in "█▄" for cell in row]
            for row in rows
            for half in (0, 1)
        ]
    )
    code = Image.fromarray(np.where(dots, 30, 225).astype(np.uint8)).resize((dots.shape[1] * 4, dots.shape[0] * 4))
    screen = Image.new("L", (640, 480), 20)
    screen.paste(code, (40, 30))
    (text,), broken = picture.read_codes(screen.rotate(4, Image.Resampling.BILINEAR, fillcolor=20))
    assert (text.lower(), broken) == (url, False)


def test_the_name_is_one_of_a_network() -> None:
    name, second, *_ = address.candidate_names()
    assert name.startswith("companion-")
    assert second == name.replace(".local", "-2.local")
    record = address.make_service_info(name, "192.168.178.23", 8686)
    assert (record.server, record.port, record.addresses) == (f"{name}.", 8686, [socket.inet_aton("192.168.178.23")])
    assert record.properties == {b"path": b"/"}


@pytest.mark.parametrize("host", ["127.0.0.1", "0.0.0.0", "::1", "den.local"])
def test_nothing_is_announced_where_nobody_else_comes(host: str) -> None:
    with address.announce(host, 8686) as name:
        assert name == ""
