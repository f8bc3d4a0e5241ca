"""Asks openstacksdk what situations mean: reads their list as JSON, answers with what get_one() and its session would use as JSON."""

import importlib
import json
import os
import sys
import warnings

warnings.simplefilter('ignore')

import keystoneauth1.identity.generic  # noqa: F401
import keystoneauth1.loading
import openstack
import openstack.config.loader as loader
import requests.utils

SERVICES = ['compute', 'network', 'placement', 'block-storage', 'image', 'infra-optim']


def endpoint_of(region, service):
    try:
        return region.get_session_endpoint(service)
    except Exception as error:
        return f'!{type(error).__name__}'


def proxy_of(url):
    if not url:
        return None
    proxies = requests.utils.get_environ_proxies(url, no_proxy=None)
    return requests.utils.select_proxy(url, proxies)


def answer(situation):
    os.chdir(situation['folder'])
    os.environ.clear()
    os.environ.update(situation['environment'])
    # The places of files are those of the moment at which the module was read.
    importlib.reload(loader)
    said = None
    try:
        region = loader.OpenStackConfig().get_one(situation['cloud'])
        verify, cert = region.get_requests_verify_args()
        cloud = {
            'region': region.region_name or None,
            'interface': region.get_interface(),
            'verify': verify,
            'cert': cert,
            'proxy': proxy_of(region.config['auth'].get('auth_url')),
            'computeMicroversion': region.get_default_microversion('compute'),
        }
    except BaseException as error:
        return {'cloud': None, 'said': f'{type(error).__name__}: {error}'}
    try:
        region.get_session().get_token()
    except BaseException as error:
        said = f'{type(error).__name__}: {error}'
    cloud['endpoints'] = {} if said is not None else {service: endpoint_of(region, service) for service in SERVICES}
    return {'cloud': cloud, 'said': said}


def answer_apart(situation):
    """In a process of its own, whose environment and folder are the situation's."""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(read)
        try:
            text = json.dumps(answer(situation), default=str)
        except BaseException as error:
            text = json.dumps({'cloud': None, 'said': f'{type(error).__name__}: {error}'})
        with os.fdopen(write, 'w') as out:
            out.write(text)
        os._exit(0)
    os.close(write)
    with os.fdopen(read) as answered:
        text = answered.read()
    os.waitpid(child, 0)
    return text


print(openstack.version.__version__, flush=True)
for line in sys.stdin:
    print(answer_apart(json.loads(line)), flush=True)
