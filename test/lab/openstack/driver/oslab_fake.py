"""Fake hypervisor driver of the local lab (test code, ours).

A subclass of nova.virt.fake.FakeDriver.  bin/nova-compute puts this folder on
nova.virt.__path__, so that `compute_driver = oslab_fake.OslabDriver` finds it
(nova only loads drivers from inside the nova.virt package).

What it adds to FakeDriver:
 * realistic, configurable host size ([oslab] in the compute's config file);
 * guests survive a restart of nova-compute (FakeDriver forgets them); if the
   file <state_path>/guests-off exists at start, they come back powered off,
   as after a host reboot, and the file is removed;
 * paused/suspended power states are kept, the source forgets a guest that
   was live migrated away;
 * abort and force-complete of a live migration work, per instance;
 * delays and failures per instance from a JSON file, re-read at every step:

migration-faults.json in the cloud's data ([oslab] faults_file):
{ "<server uuid>" | "<server name>" | "*": {
     "delay": 5,          seconds the live migration stays in 'running'
     "hang": true,        stays there until abort / force-complete / entry gone
     "fail": true,        the live migration fails ...
     "stage": "live",       ... after the delay, rolled back: server ACTIVE on
                            the source, migration 'failed' (default)
              "live-error"  ... after the delay, not rolled back: server ERROR,
                            migration 'error'
              "pre"         ... in pre_live_migration on the target: server
                            ACTIVE on the source, migration 'failed'
              "check"       ... in the pre-check on the target: nova tries the
                            next host, or gives up if the host was given
     "dest": ["cmp-2"],   only when the target is one of these
     "times": 2,          only the first 2 attempts fail (counted in
                            migration-faults.state.json)
     "cold_delay": 3,     seconds in migrate_disk_and_power_off
     "cold_fail": true,   cold migration fails there: server ERROR
     "stop_delay": 3,     seconds power_off takes
     "stop_fail": true }} power_off raises: server keeps running
More specific entries override "*" key by key.
"""
import fcntl
import json
import os
import time
import uuid

from oslo_config import cfg
from oslo_log import log as logging

from nova.compute import power_state
from nova.compute import task_states
import nova.conf
from nova import context as nova_context
from nova import exception
from nova import objects
from nova.virt import fake

CONF = nova.conf.CONF
CONF.register_opts([
    cfg.IntOpt('vcpus', default=16),
    cfg.IntOpt('memory_mb', default=32768),
    cfg.IntOpt('local_gb', default=500),
    cfg.StrOpt('faults_file', required=True),
], group='oslab')
LOG = logging.getLogger(__name__)


class OslabDriver(fake.FakeDriver):

    def __init__(self, virtapi, read_only=False):
        self.vcpus = CONF.oslab.vcpus
        self.memory_mb = CONF.oslab.memory_mb
        self.local_gb = CONF.oslab.local_gb
        super().__init__(virtapi, read_only)
        self.host_status_base['disk_available_least'] = self.local_gb
        self._started = time.time()
        self._abort = set()
        self._force = set()

    # -- life cycle -------------------------------------------------------

    def init_host(self, host):
        super().init_host(host)
        off_mark = os.path.join(CONF.state_path, 'guests-off')
        off = os.path.exists(off_mark)
        ctx = nova_context.get_admin_context()
        for inst in objects.InstanceList.get_by_host(
                ctx, host, expected_attrs=['flavor']):
            if inst.vm_state in ('building', 'deleted', 'shelved_offloaded'):
                continue
            state = inst.power_state or power_state.NOSTATE
            if off and state != power_state.NOSTATE:
                state = power_state.SHUTDOWN
            self.instances[inst.uuid] = fake.FakeInstance(
                inst.name, state, inst.uuid)
        if off:
            os.unlink(off_mark)
        LOG.info('oslab: %d guests restored on %s%s', len(self.instances),
                 host, ' (powered off)' if off else '')

    def get_host_ip_addr(self):
        return CONF.my_ip

    # FakeDriver invents a new node uuid in every process, and nova-compute
    # does not start when the uuid of its node has changed.
    @staticmethod
    def _node_uuid(node):
        return str(uuid.uuid5(uuid.NAMESPACE_DNS, node + '.oslab.invalid'))

    def get_available_resource(self, nodename):
        status = super().get_available_resource(nodename)
        if status:
            status['uuid'] = self._node_uuid(nodename)
        return status

    def get_nodenames_by_uuid(self, refresh=False):
        return {self._node_uuid(n): n for n in self.get_available_nodes()}

    def get_host_uptime(self):
        up = int(time.time() - self._started)
        days, rest = divmod(up, 86400)
        return (' %s up %d days, %2d:%02d,  0 users,  '
                'load average: 0.00, 0.01, 0.05' % (
                    time.strftime('%H:%M:%S'), days, rest // 3600,
                    rest % 3600 // 60))

    def _set_power(self, instance, state):
        if instance.uuid not in self.instances:
            raise exception.InstanceNotFound(instance_id=instance.uuid)
        self.instances[instance.uuid].state = state

    def pause(self, instance):
        self._set_power(instance, power_state.PAUSED)

    def unpause(self, instance):
        self._set_power(instance, power_state.RUNNING)

    def suspend(self, context, instance):
        self._set_power(instance, power_state.SUSPENDED)

    def resume(self, context, instance, network_info, block_device_info=None,
               share_info=None):
        self._set_power(instance, power_state.RUNNING)

    def power_off(self, instance, timeout=0, retry_interval=0):
        fault = self._fault(instance)
        time.sleep(float(fault.get('stop_delay', 0)))
        if fault.get('stop_fail'):
            raise exception.InstancePowerOffFailure(
                reason='fault injected by the lab')
        super().power_off(instance, timeout, retry_interval)

    def destroy(self, context, instance, network_info, block_device_info=None,
                destroy_disks=True, destroy_secrets=True):
        super().destroy(context, instance, network_info, block_device_info,
                        destroy_disks, destroy_secrets)
        # As libvirt does. Otherwise nova-compute "cleans" deleted servers
        # minutes later, and Watcher takes the notification for a new server.
        if destroy_disks and instance.task_state == task_states.DELETING:
            instance.cleaned = True
            instance.save()

    # -- faults -----------------------------------------------------------

    @staticmethod
    def _fault(instance):
        try:
            with open(CONF.oslab.faults_file) as f:
                table = json.load(f)
        except FileNotFoundError:
            return {}
        except (OSError, ValueError) as exc:
            LOG.warning('oslab: cannot read the faults file: %s', exc)
            return {}
        fault = {}
        for key in ('*', instance.display_name, instance.uuid):
            if isinstance(table.get(key), dict):
                fault.update(table[key])
        return fault

    @staticmethod
    def _take_failure(instance, fault):
        """True if this attempt has to fail; counts it when 'times' is set."""
        if not fault.get('fail'):
            return False
        times = fault.get('times')
        if times is None:
            return True
        path = CONF.oslab.faults_file[:-5] + '.state.json'
        with open(path, 'a+') as f:
            fcntl.flock(f, fcntl.LOCK_EX)
            f.seek(0)
            try:
                counts = json.load(f)
            except ValueError:
                counts = {}
            if counts.get(instance.uuid, 0) >= times:
                return False
            counts[instance.uuid] = counts.get(instance.uuid, 0) + 1
            f.seek(0)
            f.truncate()
            json.dump(counts, f)
        return True

    def _fails_here(self, instance, stage, dest):
        fault = self._fault(instance)
        if fault.get('stage', 'live') != stage:
            return False
        if fault.get('dest') and dest not in fault['dest']:
            return False
        return self._take_failure(instance, fault)

    # -- live migration ---------------------------------------------------

    def check_can_live_migrate_destination(self, context, instance,
                                           src_compute_info, dst_compute_info,
                                           block_migration=False,
                                           disk_over_commit=False):
        if self._fails_here(instance, 'check', CONF.host):
            raise exception.MigrationPreCheckError(
                reason='fault injected by the lab on %s' % CONF.host)
        return super().check_can_live_migrate_destination(
            context, instance, src_compute_info, dst_compute_info,
            block_migration, disk_over_commit)

    def pre_live_migration(self, context, instance, block_device_info,
                           network_info, disk_info, migrate_data):
        if self._fails_here(instance, 'pre', CONF.host):
            raise exception.MigrationError(
                reason='fault injected by the lab on %s' % CONF.host)
        return super().pre_live_migration(
            context, instance, block_device_info, network_info, disk_info,
            migrate_data)

    def live_migration(self, context, instance, dest, post_method,
                       recover_method, block_migration=False,
                       migrate_data=None):
        uuid = instance.uuid
        self._abort.discard(uuid)
        self._force.discard(uuid)
        start = last = time.time()
        while uuid not in self._abort and uuid not in self._force:
            fault = self._fault(instance)
            spent = time.time() - start
            delay = float(fault.get('delay', 0))
            if not fault.get('hang') and spent >= delay:
                break
            if time.time() - last >= 1:
                last = time.time()
                self._progress(migrate_data, instance, spent, delay)
            time.sleep(0.1)
        if uuid in self._abort:
            recover_method(context, instance, dest, migrate_data,
                           migration_status='cancelled')
            return
        if uuid not in self._force:
            if self._fails_here(instance, 'live', dest):
                recover_method(context, instance, dest, migrate_data)
                return
            if self._fails_here(instance, 'live-error', dest):
                raise exception.MigrationError(
                    reason='fault injected by the lab on %s' % CONF.host)
        post_method(context, instance, dest, block_migration, migrate_data)

    @staticmethod
    def _progress(migrate_data, instance, spent, delay):
        total = instance.flavor.memory_mb * 1024 * 1024
        done = int(total * min(0.99, spent / delay)) if delay else 0
        migration = migrate_data.migration
        migration.memory_total = total
        migration.memory_processed = done
        migration.memory_remaining = total - done
        migration.disk_total = 0
        migration.disk_processed = 0
        migration.disk_remaining = 0
        migration.save()

    def live_migration_abort(self, instance):
        self._abort.add(instance.uuid)

    def live_migration_force_complete(self, instance):
        self._force.add(instance.uuid)

    def post_live_migration(self, context, instance, block_device_info,
                            migrate_data=None):
        self.instances.pop(instance.uuid, None)

    def post_live_migration_at_destination(self, context, instance,
                                           network_info,
                                           block_migration=False,
                                           block_device_info=None):
        super().post_live_migration_at_destination(
            context, instance, network_info, block_migration,
            block_device_info)
        if instance.power_state:
            self.instances[instance.uuid].state = instance.power_state

    # -- cold migration ---------------------------------------------------

    def migrate_disk_and_power_off(self, context, instance, dest, flavor,
                                   network_info, block_device_info=None,
                                   timeout=0, retry_interval=0):
        fault = self._fault(instance)
        time.sleep(float(fault.get('cold_delay', 0)))
        if fault.get('cold_fail'):
            raise exception.ResizeError(reason='fault injected by the lab')
        if instance.uuid in self.instances:
            self.instances[instance.uuid].state = power_state.SHUTDOWN
        return '{}'
