"""Asks the handlers of a checkout of Rockoon what they decide in each situation.

    python3 ask-rockoon.py CHECKOUT < situations.json > answers.json

Its own modules run as they are: the handlers of maintenance requests, locks, health, services. What they import and this machine lacks is put in
their place empty, and Kubernetes is a dictionary of objects. Whatever they would wait for ends the handler, so that an answer takes no time.
"""

import copy
import importlib.abc
import importlib.machinery
import json
import logging
import logging.config
import os
import sys
import types

CHECKOUT = sys.argv[1]
sys.path.insert(0, CHECKOUT)
os.environ["OSCTL_LOGGING_CONF_FILE"] = f"{CHECKOUT}/etc/rockoon/logging.conf"
logging.config.dictConfig = lambda _: None
OURS = "1.0"


class Waits(Exception):
    """The handler would sleep here and look again."""


def wait(*_):
    raise Waits()


# ---- Modules that are not here

class Anything:
    """Answers whatever is asked of it with itself."""

    def __init__(self, *_, **__):
        pass

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return Anything()

    def __call__(self, *args, **kwargs):
        # A decorator leaves what it decorates as it is.
        return args[0] if len(args) == 1 and callable(args[0]) and not kwargs else Anything()

    def __iter__(self):
        return iter(())

    def __getitem__(self, key):
        return Anything()

    def __setitem__(self, key, value):
        pass


class Empty(types.ModuleType):
    """A module in which every name is there: classes, exceptions, modules and functions that do nothing."""

    __path__ = []

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        if name[0].isupper():
            base = Exception if name.endswith(("Error", "Exception")) else Anything
            made = type(name, (base,), {})
        else:
            made = Anything()
        setattr(self, name, made)
        return made


class EmptyModules(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] == "rockoon":
            return None
        return importlib.machinery.ModuleSpec(name, self, is_package=True)

    def create_module(self, spec):
        return Empty(spec.name)

    def exec_module(self, module):
        pass


# Those that this machine may have are not used either: an answer is the same wherever it is collected.
for name in ("openstack", "pbr", "jinja2", "deepmerge", "jsonpath_ng", "requests", "kopf", "pykube"):
    sys.modules[name] = Empty(name)
sys.meta_path.append(EmptyModules())


# ---- Kubernetes as a dictionary

STORE = {}


class Missing(Exception):
    """The API server answers 404."""


def merged(into, change):
    for key, value in change.items():
        if value is None:
            into.pop(key, None)
        elif isinstance(value, dict) and isinstance(into.get(key), dict):
            merged(into[key], value)
        else:
            into[key] = copy.deepcopy(value)
    return into


class Query:
    def __init__(self, klass):
        self.klass = klass

    def filter(self, **_):
        return self

    def get(self, name):
        kept = STORE.get(self.klass.kind, {}).get(name)
        if kept is None:
            raise sys.modules["pykube"].exceptions.ObjectDoesNotExist()
        return self.klass(None, copy.deepcopy(kept))

    def __iter__(self):
        return iter([self.klass(None, copy.deepcopy(each)) for _, each in sorted(STORE.get(self.klass.kind, {}).items())])


class APIObject:
    version = "v1"
    kind = None

    def __init__(self, _api, obj):
        self.obj = obj

    @classmethod
    def objects(cls, _api):
        return Query(cls)

    @property
    def name(self):
        return self.obj["metadata"]["name"]

    @property
    def namespace(self):
        return self.obj["metadata"].get("namespace")

    @property
    def metadata(self):
        return self.obj["metadata"]

    @property
    def labels(self):
        return self.obj["metadata"].setdefault("labels", {})

    @property
    def annotations(self):
        return self.obj["metadata"].setdefault("annotations", {})

    def kept(self):
        found = STORE.get(self.kind, {}).get(self.name)
        if found is None:
            raise Missing(f"{self.kind} {self.name}")
        return found

    def exists(self, **_):
        return self.name in STORE.get(self.kind, {})

    def reload(self):
        self.obj = copy.deepcopy(self.kept())

    def create(self):
        STORE.setdefault(self.kind, {})[self.name] = copy.deepcopy(self.obj)

    def update(self, **_):
        merged(self.kept(), {key: value for key, value in self.obj.items() if key != "status"})

    def patch(self, change, **_):
        merged(self.kept(), change)
        self.reload()

    def delete(self, **_):
        STORE.get(self.kind, {}).pop(self.name, None)


pykube = sys.modules["pykube"]
pykube.exceptions = Empty("pykube.exceptions")
pykube.objects = Empty("pykube.objects")
for name in ("APIObject", "NamespacedAPIObject"):
    setattr(pykube.objects, name, APIObject)
for name in ("Secret", "Service", "StatefulSet", "Job", "CronJob", "Deployment", "DaemonSet", "Pod", "Node",
             "PersistentVolume", "PersistentVolumeClaim", "ConfigMap"):
    setattr(pykube, name, type(name, (APIObject,), {"kind": name}))
sys.modules["pykube.exceptions"] = pykube.exceptions
sys.modules["pykube.objects"] = pykube.objects
kopf = sys.modules["kopf"]
kopf.TemporaryError = type("TemporaryError", (Exception,), {})
kopf.PermanentError = type("PermanentError", (Exception,), {})
pbr = Empty("pbr.version")


class VersionInfo:
    def __init__(self, _name):
        pass

    def release_string(self):
        return OURS


pbr.VersionInfo = VersionInfo
sys.modules["pbr"].version = pbr
sys.modules["pbr.version"] = pbr
logging.disable(logging.CRITICAL)

from rockoon import health, kube, layers, maintenance, openstack_utils, services, settings, utils  # noqa: E402
from rockoon.controllers import maintenance as handlers  # noqa: E402
from rockoon.services import base  # noqa: E402

utils.merger.merge = merged
maintenance.merger.merge = merged
handlers.time = types.SimpleNamespace(sleep=wait, time=lambda: 0)
health.time = types.SimpleNamespace(sleep=wait)


class Conf:
    """The defaults of its configuration file, with what a situation sets."""

    values = {}

    def getint(self, section, option, **_):
        return int(self.values.get(option, 1))

    def getboolean(self, section, option, **_):
        return bool(self.values.get(option, True))

    def get(self, section, option, **_):
        return self.values.get(option, "")


CONF = Conf()
for module in list(sys.modules.values()):
    if getattr(module, "__name__", "").startswith("rockoon") and "CONF" in vars(module):
        module.CONF = CONF

# What a service does with a node needs a cloud; whether it lets the node go is asked of it as it is.
base.MaintenanceApiMixin.process_nmr = lambda *_: None
base.MaintenanceApiMixin.delete_nmr = lambda *_: None
ZONES = {}


class Nova:
    def compute_get_services(self, host=None, **_):
        zone = ZONES.get(host)
        return [types.SimpleNamespace(location=types.SimpleNamespace(zone=zone))]


openstack_utils.OpenStackClientManager = Nova
kube.kube_client = lambda *_: None
kube.OpenStackDeployment.mspec = property(lambda self: self.obj["spec"])
kube.OpenStackDeployment.fingerprint = "f"


def is_ready(self):
    """As pykube says it of a pod."""
    conditions = self.obj["status"].get("conditions", [])
    return any(each["type"] == "Ready" and each["status"] == "True" for each in conditions)


kube.Pod.ready = property(is_ready)


def why(message):
    """Which of its conditions holds the lock, by a word of ours."""
    for word, part in (
        ("release", "release does not match"),
        ("lock release", "cwl release"),
        ("controller version", "controller version"),
        ("state", "osdpl status APPLIED"),
        ("health", "services are healthy"),
        ("limits", "allowed concurrency"),
        ("services", "services blocks"),
    ):
        if part in message:
            return word
    return "said otherwise" if message else None


def put(objects):
    STORE.clear()
    for obj in objects:
        STORE.setdefault(obj["kind"], {})[obj["metadata"]["name"]] = copy.deepcopy(obj)


def ask(situation):
    put(situation["objects"])
    ZONES.clear()
    ZONES.update(situation.get("zones", {}))
    Conf.values = situation.get("conf", {})
    settings.OSCTL_CLUSTER_RELEASE = situation["release"]
    kind, name = situation["lock"]
    before = copy.deepcopy(STORE.get(kind, {}).get(name))
    ended = "ended"
    try:
        getattr(handlers, situation["handler"])(situation["request"])
    except Waits:
        ended = "waits"
    except kopf.TemporaryError:
        ended = "waits"
    except Exception as error:
        ended = f"fails: {type(error).__name__}"
    lock = STORE.get(kind, {}).get(name)
    state = None if lock is None else lock.get("status", {}).get("state")
    said = "" if lock is None else lock.get("status", {}).get("errorMessage", "")
    return {
        "lock": state,
        "ended": ended,
        "why": None if state == "inactive" or ended == "ended" else why(said),
        "untouched": before == lock,
    }


if __name__ == "__main__":
    print(json.dumps({each["name"]: ask(each) for each in json.load(sys.stdin)}))
