# This source file is part of the SensitiveContentAnalysis open source project
# SPDX-License-Identifier: Apache-2.0
"""What a child might run: a service under the name of AccountsService. Takes a bus's address, the number of an account, and
whether its filter is `free` or it is `without-filters`."""

import sys

from gi.repository import Gio, GLib

INTERFACES = Gio.DBusNodeInfo.new_for_xml("""
<node>
  <interface name="org.freedesktop.Accounts">
    <method name="FindUserById"><arg type="x" direction="in"/><arg type="o" direction="out"/></method>
  </interface>
  <interface name="com.endlessm.ParentalControls.AppFilter">
    <property name="OarsFilter" type="(sa{ss})" access="read"/>
  </interface>
</node>
""").interfaces


def answer(_bus, _sender, _path, _interface, _method, parameters, invocation):
    invocation.return_value(GLib.Variant("(o)", (f"/org/freedesktop/Accounts/User{parameters[0]}",)))


def value(*_):
    return GLib.Variant("(sa{ss})", ("oars-1.1", {"sex-nudity": "intense"}))


connection = Gio.DBusConnection.new_for_address_sync(
    sys.argv[1],
    Gio.DBusConnectionFlags.AUTHENTICATION_CLIENT | Gio.DBusConnectionFlags.MESSAGE_BUS_CONNECTION, None, None)
connection.register_object("/org/freedesktop/Accounts", INTERFACES[0], answer, None, None)
filters = INTERFACES[1] if sys.argv[3] == "free" else INTERFACES[0]
connection.register_object(f"/org/freedesktop/Accounts/User{sys.argv[2]}", filters, answer, value, None)
Gio.bus_own_name_on_connection(connection, "org.freedesktop.Accounts", 0, lambda *_: print("owned", flush=True), None)
GLib.MainLoop().run()
