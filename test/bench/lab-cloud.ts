import type { ResolvedCloud } from '../../main/adapters/openstack/resolved-cloud.ts'

/** The lab's cloud as its administrator (test/lab/openstack/configs.sh). */
export const LAB_CLOUD: ResolvedCloud = {
  name: 'lab',
  authUrl: 'http://127.0.0.1:5000/v3',
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
