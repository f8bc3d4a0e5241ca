import type { ResolvedCloud } from '../../main/adapters/openstack/resolved-cloud.ts'
import { LAB_OPENSTACK } from '../lab/lab-places.ts'

/** The lab's cloud as its administrator (test/lab/openstack/configs.sh); LOCKKEEPER_LAB_OPENSTACK chooses it. */
export const LAB_CLOUD: ResolvedCloud = {
  name: 'lab',
  authUrl: { zed: 'http://127.0.0.1:5000/v3', modern: 'http://127.0.0.1:25000/v3' }[LAB_OPENSTACK],
  auth: {
    kind: 'password',
    user: { name: 'admin', domainName: 'Default' },
    password: 'oslab',
    scope: { kind: 'project', project: { name: 'admin', domainName: 'Default' } },
  },
  regionName: 'RegionOne',
  interface: 'public',
  caCertPath: null,
  insecure: false,
  clientCert: null,
  endpointOverrides: {},
}
