import { inspect } from 'node:util'
import { APP_SECRET, CERTIFICATE, FERNET, JWT, OPAQUE_TOKEN, PASSWORD, PLAIN_PASSWORD, PRIVATE_KEY } from './secrets.ts'

const base64 = (text: string) => Buffer.from(text).toString('base64')
const keystoneRequest = {
  auth: {
    identity: {
      methods: ['password'],
      password: { user: { name: 'admin', domain: { id: 'default' }, password: PASSWORD } },
    },
  },
}

/** Texts that end in logs and messages, each with a secret, by what wrote them. */
export const LEAKY_TEXTS: readonly (readonly [string, string])[] = [
  ['a header of kubectl -v9', `curl -v -XGET -H "Authorization: Bearer ${JWT}" 'https://10.0.0.1:6443/api'`],
  ['an opaque bearer token', `Authorization: Bearer ${OPAQUE_TOKEN}`],
  ['basic authentication', `proxy answered 407 to Proxy-Authorization: Basic ${base64(`admin:${PASSWORD}`)}`],
  ['a dump of an OpenStack request', `REQ: curl -g -i -X GET http://127.0.0.1:8774/ -H "X-Auth-Token: ${FERNET}"`],
  ['an old UUID token in a header', `< X-Subject-Token: ${OPAQUE_TOKEN}\n< Vary: X-Auth-Token`],
  ['a Keystone request body', `POST /v3/auth/tokens ${JSON.stringify(keystoneRequest)}`],
  [
    'a Keystone request body in a JSON string',
    JSON.stringify({ body: JSON.stringify({ ...keystoneRequest, password: PLAIN_PASSWORD }) }).replaceAll(
      JSON.stringify(JSON.stringify(PASSWORD)).slice(1, -1),
      'x',
    ),
  ],
  ['a Python dictionary', `{'auth': {'username': 'admin', 'password': '${PLAIN_PASSWORD}'}}`],
  ['an application credential', `application_credential_secret: ${APP_SECRET}`],
  ['an application credential in JSON', `{"application_credential":{"id":"a1","secret":"${APP_SECRET}"}}`],
  [
    'clouds.yaml',
    `clouds:\n  lab:\n    auth:\n      username: admin\n      password: ${PASSWORD}\n      project_name: admin\n`,
  ],
  ['a block in secure.yaml', `      password: |\n        ${PASSWORD}\n      user: x`],
  ['an openrc file', `export OS_USERNAME=admin\nexport OS_PASSWORD=${PASSWORD}\n`],
  ['a command line', `openstack --os-username admin --os-password ${PLAIN_PASSWORD} server list`],
  ['a command line with =', `helper --client-secret=${APP_SECRET} --verbose`],
  [
    'a kubeconfig',
    `users:\n- name: admin\n  user:\n    client-certificate-data: ${base64(CERTIFICATE)}\n    client-key-data: ${base64(PRIVATE_KEY)}\n    token: ${OPAQUE_TOKEN}\n`,
  ],
  [
    'a kubeconfig with wrapped base64',
    `client-key-data: >-\n  ${base64(PRIVATE_KEY).replaceAll(/(.{76})/g, '$1\n  ')}\n`,
  ],
  [
    'a kubeconfig as JSON',
    JSON.stringify({ users: [{ user: { 'client-key-data': base64(PRIVATE_KEY), token: OPAQUE_TOKEN } }] }),
  ],
  ['a private key', `cannot use key: ${PRIVATE_KEY} (bad decrypt)`],
  ['a private key cut off', PRIVATE_KEY.slice(0, 600)],
  ['a private key inside JSON', JSON.stringify({ key: PRIVATE_KEY, cert: CERTIFICATE })],
  ['a private key as util.inspect breaks it', inspect({ options: { key: PRIVATE_KEY } }, { depth: 5 })],
  ['bytes as JSON writes them', JSON.stringify({ key: Buffer.from(PRIVATE_KEY) }).slice(0, 4000)],
  ['a URL with user and password', `connect to https://admin:${PLAIN_PASSWORD}@keystone.example:5000/v3 failed`],
  ['a proxy URL whose password has an @', `HTTPS_PROXY=http://me:p@${PLAIN_PASSWORD}@proxy:3128`],
  ['a database URL', `mysql+pymysql://nova:${PLAIN_PASSWORD}@127.0.0.1/nova`],
  ['a query string', `GET /console?token=${OPAQUE_TOKEN}&path=x`],
  ['a server with its first password', `{"server": {"adminPass": "${PLAIN_PASSWORD}", "id": "1"}}`],
  ['raw headers as Node keeps them', `[ 'Accept', '*/*', 'X-Auth-Token', '${OPAQUE_TOKEN}' ]`],
  ['the environment of an exec plugin', `env:\n- name: VAULT_TOKEN\n  value: ${OPAQUE_TOKEN}\n`],
  ['the environment of an exec plugin as JSON', `{"name":"OS_PASSWORD","value":"${PLAIN_PASSWORD}"}`],
  ['a cookie', `set-cookie: session=${OPAQUE_TOKEN}; HttpOnly`],
]

/** Texts without secrets that an operator needs word for word. */
export const HARMLESS_TEXTS: readonly string[] = [
  'Could not evict nova/rabbitmq-0: budget rabbitmq-pdb needs 3 healthy pods and has 3. Retrying until 14:32.',
  'secrets is forbidden: User "viewer" cannot list resource "secrets" in API group "" at the cluster scope',
  'The token of user admin expired at 2026-01-01T00:00:00Z; a new one was requested.',
  'Basic authentication is switched off; Bearer tokens are used.',
  'server/6f1c2d3e-4b5a-6978-8796-a5b4c3d2e1f0 (vm-01) on cmp-1 is ACTIVE',
  'https://127.0.0.1:6443/api/v1/nodes?limit=500&resourceVersion=0',
  'Cloud lab has no password; add it to /etc/openstack/secure.yaml.',
  "clouds.yaml line 4: secretName and tokenExpiresAt are harmless names, 'password' is a key",
]
