import type { CloudSituation } from '../situations.ts'
import { file, files } from './cloud.ts'

/** Files as tools and providers write them, with invented names. */
export const PUBLISHED: readonly CloudSituation[] = [
  file(
    'as Horizon writes it',
    `# This is a clouds.yaml file, which can be used by OpenStack tools as a source
# of configuration on how to connect to a cloud.
clouds:
  openstack:
    auth:
      auth_url: http://{{http}}/v3
      username: "admin"
      password: "invented"
      project_id: 0123456789abcdef0123456789abcdef
      project_name: "ops"
      user_domain_name: "Default"
    region_name: "RegionOne"
    interface: "public"
    identity_api_version: 3
`,
    { cloud: 'openstack' },
  ),
  file(
    'as Horizon writes it for an application credential',
    `clouds:
  openstack:
    auth:
      auth_url: http://{{http}}/v3
      application_credential_id: "0123456789abcdef"
      application_credential_secret: "invented"
    region_name: "RegionOne"
    interface: "public"
    identity_api_version: 3
    auth_type: "v3applicationcredential"
`,
    { cloud: 'openstack' },
  ),
  file(
    'as devstack writes it',
    `clouds:
  devstack:
    auth:
      auth_url: http://{{http}}/identity
      password: invented
      project_domain_id: default
      project_name: demo
      user_domain_id: default
      username: demo
    identity_api_version: '3'
    region_name: RegionOne
    volume_api_version: '3'
  devstack-admin:
    auth:
      auth_url: http://{{http}}/identity
      password: invented
      project_domain_id: default
      project_name: admin
      user_domain_id: default
      username: admin
    identity_api_version: '3'
    region_name: RegionOne
    volume_api_version: '3'
  devstack-system-admin:
    auth:
      auth_url: http://{{http}}/identity
      password: invented
      system_scope: all
      user_domain_id: default
      username: admin
    identity_api_version: '3'
    region_name: RegionOne
    volume_api_version: '3'
`,
    { cloud: 'devstack-admin' },
  ),
  file(
    'as devstack writes it, for the system',
    `clouds:
  devstack-system-admin:
    auth:
      auth_url: http://{{http}}/identity
      password: invented
      system_scope: all
      user_domain_id: default
      username: admin
    identity_api_version: '3'
    region_name: RegionOne
    volume_api_version: '3'
`,
    { cloud: 'devstack-system-admin' },
  ),
  file(
    'as Kolla writes it',
    `---
clouds:
  kolla-admin:
    auth:
      auth_url: http://{{http}}
      user_domain_name: Default
      project_domain_name: Default
      project_name: admin
      username: admin
      password: invented
    region_name: RegionOne
  kolla-admin-internal:
    auth:
      auth_url: http://{{http}}
      user_domain_name: Default
      project_domain_name: Default
      project_name: admin
      username: admin
      password: invented
    interface: internal
    cacert: {{folder}}/ca.pem
    region_name: RegionOne
`,
    { cloud: 'kolla-admin-internal', files: { 'ca.pem': '{{root}}' } },
  ),
  file(
    'as OpenStack-Helm writes it',
    `clouds:
  openstack_helm:
    region_name: RegionOne
    identity_api_version: 3
    auth:
      username: 'admin'
      password: 'invented'
      project_name: 'admin'
      project_domain_name: 'default'
      user_domain_name: 'default'
      auth_url: 'http://{{http}}/v3'
`,
    { cloud: 'openstack_helm' },
  ),
  file(
    'as MOSK writes it',
    `clouds:
  admin:
    auth:
      auth_url: http://{{http}}/
      password: invented
      project_domain_name: Default
      project_name: admin
      user_domain_name: Default
      username: admin
    endpoint_type: internalURL
    identity_api_version: 3
    interface: internal
    region_name: RegionOne
  admin-system:
    auth:
      auth_url: http://{{http}}/
      password: invented
      system_scope: all
      user_domain_name: Default
      username: admin
    endpoint_type: internalURL
    identity_api_version: 3
    interface: internal
    region_name: RegionOne
`,
    { cloud: 'admin' },
  ),
  file(
    'as Sunbeam writes it',
    `clouds:
  sunbeam:
    auth:
      auth_url: http://{{http}}/v3
      password: invented
      project_domain_name: users
      project_name: demo
      user_domain_name: users
      username: demo
    cacert: {{folder}}/ca.pem
    region_name: RegionOne
`,
    { cloud: 'sunbeam', files: { 'ca.pem': '{{root}}' } },
  ),
  file(
    'as TripleO writes it',
    `clouds:
  overcloud:
    auth:
      auth_url: http://{{http}}
      password: invented
      project_domain_name: Default
      project_name: admin
      user_domain_name: Default
      username: admin
    cacert: ''
    identity_api_version: '3'
    region_name: RegionOne
    volume_api_version: '3'
`,
    { cloud: 'overcloud' },
  ),
  file(
    'as a generator writes it, with every option',
    `clouds:
  c:
    profile: null
    auth_type: password
    auth:
      auth_url: http://{{http}}/v3
      username: admin
      password: invented
      project_name: ops
      user_domain_name: Default
      project_domain_name: Default
    region_name: RegionOne
    interface: public
    identity_api_version: 3
    verify: true
    cacert: null
    cert: null
    key: null
`,
  ),
  file(
    'as a gateway of Terraform wants it',
    `clouds:
  c:
    auth:
      auth_url: http://{{http}}/v3
      user_name: admin
      password: invented
      tenant_name: ops
      domain_name: Default
    region_name: RegionOne
`,
  ),
  files('as somebody who keeps secrets apart has it', {
    'clouds.yaml': `clouds:
  c:
    profile: own
    auth: {username: admin, project_name: ops, user_domain_name: Default, project_domain_name: Default}
    region_name: RegionTwo
`,
    'secure.yaml': 'clouds:\n  c:\n    auth:\n      password: hidden\n',
    'clouds-public.yaml': `public-clouds:
  own:
    auth: {auth_url: "http://{{http}}/v3"}
    regions: [RegionOne, RegionTwo]
    identity_api_version: 3
    interface: internal
`,
  }),
]
