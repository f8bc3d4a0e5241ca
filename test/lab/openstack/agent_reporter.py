#!/usr/bin/python3
"""Reports neutron agents to the real neutron-server, over its own RPC.

The agents themselves do not exist; their heartbeats do, so GET /v2.0/agents,
alive/dead, admin_state_up and ml2 port binding all behave as with real ones.
Hosts: cmp-1..cmp-N run an Open vSwitch agent; gtw-1, gtw-2 run Open vSwitch,
L3, DHCP and Metadata agents.

Arguments: how many computes, agents.json, the first three numbers of the computes'
addresses, then neutron's own. agents.json stops heartbeats (re-read at every round):
  {"cmp-1": false}                            every agent of cmp-1
  {"gtw-1": {"L3 agent": false}}              one agent
  {"cmp-1": "cmp-1.cloud.example.org"}        every agent of cmp-1 reports under that name
An agent without heartbeats turns alive=false after agent_down_time (20 s).
Ports are bound by ml2 but nobody wires them: they stay DOWN.
"""
import json
import sys
import time

from neutron_lib import constants as const
from neutron_lib import context as n_context
from neutron_lib.agent import topics
from oslo_config import cfg

from neutron.agent import rpc as agent_rpc
from neutron.common import config as common_config
from neutron.conf.agent import common as agent_conf


def agents(computes, net):
    n = 0
    for host in ['cmp-%d' % i for i in range(1, computes + 1)] + ['gtw-1', 'gtw-2']:
        n += 1
        yield {'binary': 'neutron-openvswitch-agent', 'host': host,
               'agent_type': const.AGENT_TYPE_OVS, 'topic': 'N/A',
               'configurations': {
                   'bridge_mappings': {'physnet1': 'br-ex'},
                   'tunnel_types': ['vxlan'], 'tunneling_ip': '%s.%d' % (net, n),
                   'l2_population': False, 'arp_responder_enabled': False,
                   'enable_distributed_routing': False, 'extensions': [],
                   'log_agent_heartbeats': False, 'in_distributed_mode': False,
                   'datapath_type': 'system', 'integration_bridge': 'br-int',
                   'ovs_hybrid_plug': False, 'vhostuser_socket_dir': '/var/run/openvswitch',
                   'ovs_capabilities': {'datapath_types': ['netdev', 'system'],
                                        'iface_types': ['geneve', 'vxlan']},
                   'baremetal_smartnic': False, 'devices': 0}}
        if not host.startswith('gtw'):
            continue
        yield {'binary': 'neutron-l3-agent', 'host': host, 'availability_zone': 'nova',
               'agent_type': const.AGENT_TYPE_L3, 'topic': topics.L3_AGENT,
               'configurations': {
                   'agent_mode': 'legacy', 'handle_internal_only_routers': True,
                   'interface_driver': 'openvswitch', 'log_agent_heartbeats': False,
                   'extensions': [], 'routers': 0, 'ex_gw_ports': 0,
                   'interfaces': 0, 'floating_ips': 0}}
        yield {'binary': 'neutron-dhcp-agent', 'host': host, 'availability_zone': 'nova',
               'agent_type': const.AGENT_TYPE_DHCP, 'topic': topics.DHCP_AGENT,
               'configurations': {
                   'dhcp_driver': 'neutron.agent.linux.dhcp.Dnsmasq',
                   'dhcp_lease_duration': 86400, 'log_agent_heartbeats': False,
                   'networks': 0, 'subnets': 0, 'ports': 0}}
        yield {'binary': 'neutron-metadata-agent', 'host': host, 'availability_zone': 'nova',
               'agent_type': const.AGENT_TYPE_METADATA, 'topic': 'N/A',
               'configurations': {
                   'metadata_proxy_socket': '/var/lib/neutron/metadata_proxy',
                   'nova_metadata_host': '127.0.0.1', 'nova_metadata_port': 8775,
                   'log_agent_heartbeats': False}}


def muted(control, agent):
    entry = control.get(agent['host'], True)
    if isinstance(entry, dict):
        entry = entry.get(agent['agent_type'], True)
    return not entry


def main():
    computes, control_file, net = int(sys.argv.pop(1)), sys.argv.pop(1), sys.argv.pop(1)
    common_config.register_common_config_options()
    agent_conf.register_agent_state_opts_helper(cfg.CONF)
    common_config.init(sys.argv[1:])
    common_config.setup_logging()
    reports = agent_rpc.PluginReportStateAPI(topics.REPORTS)
    ctx = n_context.get_admin_context_without_session()
    fleet = list(agents(computes, net))
    fresh = {id(a) for a in fleet}
    while True:
        began = time.time()
        try:
            with open(control_file) as f:
                control = json.load(f)
        except (OSError, ValueError):
            control = {}
        for agent in fleet:
            if muted(control, agent):
                fresh.add(id(agent))
                continue
            report = dict(agent)
            if isinstance(control.get(agent['host']), str):
                report['host'] = control[agent['host']]
                report['start_flag'] = True
            if id(agent) in fresh:
                report['start_flag'] = True
            try:
                reports.report_state(ctx, report, use_call=id(agent) in fresh)
                fresh.discard(id(agent))
            except Exception as exc:
                print('report of %s on %s: %r' % (agent['binary'], agent['host'], exc), flush=True)
                time.sleep(1)
                break
        time.sleep(max(0.5, 5 - (time.time() - began)))


if __name__ == '__main__':
    main()
