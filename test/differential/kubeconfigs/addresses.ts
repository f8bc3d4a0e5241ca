import type { KubeconfigSituation } from '../situations.ts'
import { CLUSTER, one, SERVER, TOKEN } from './config.ts'

const at = (server: string, more = '') => ({
  cluster: `server: ${server}\ncertificate-authority-data: {{root64}}${more}`,
})

/** Where the API server is, and what is asked of its certificate. */
export const ADDRESSES: readonly KubeconfigSituation[] = [
  one('correct address', {}),
  one('address with a slash at its end', at('https://{{https}}/')),
  one('address with a path', at('https://{{https}}/k8s/clusters/c-m-1')),
  one('address with a path and a slash', at('https://{{https}}/k8s/clusters/c-m-1/')),
  one('address with two slashes in its path', at('https://{{https}}//k8s//c')),
  one('address with a path that has an escape', at('https://{{https}}/k8s/a%2Fb')),
  one('address with a query', at('https://{{https}}/k8s?region=one')),
  one('address with a fragment', at('https://{{https}}/#main')),
  one('address with a name and a password', at('https://me:pass@{{https}}')),
  one('address in capital letters', at('HTTPS://LOCALHOST:{{https.port}}')),
  one('address without a scheme', at('{{https}}')),
  one('address without a scheme, a name', at('localhost:{{https.port}}')),
  one('address of a name alone', at('localhost')),
  one('address with blanks around it', at('" https://{{https}} "')),
  one('address with a line break at its end', at('|\n  https://{{https}}')),
  one('address that is folded', at('>-\n  https://{{https}}')),
  one('address in quotes', at("'https://{{https}}'")),
  one('address that is empty', at('""')),
  one('address that is null', at('null')),
  one('address that is a tilde', at('~')),
  one('address that is not there', { cluster: 'certificate-authority-data: {{root64}}' }),
  one('address that is a number', at('6443')),
  one('address that is a list', at('[https://{{https}}]')),
  one('address with another scheme', at('ftp://{{https}}')),
  one('address with tcp for https', at('tcp://{{https}}')),
  one('address with an invalid port', at('https://127.0.0.1:port')),
  one('address with a port that is too large', at('https://127.0.0.1:70000')),
  one('address in IPv6 without brackets', at('https://::1:{{https.port}}')),
  one('address with one slash', at('https:/{{https}}')),
  one('plain http on loopback', { cluster: 'server: http://{{http}}' }),
  one('plain http with a client certificate', {
    cluster: 'server: http://{{http}}',
    user: 'client-certificate-data: {{client64}}\nclient-key-data: {{client-key64}}',
  }),
  one('plain http with a name and password', {
    cluster: 'server: http://{{http}}',
    user: 'username: me\npassword: pass',
  }),
  one('plain http as somebody else', {
    cluster: 'server: http://{{http}}',
    user: `${TOKEN}\nas: jane\nas-groups: [ops]`,
  }),
  one('plain http with an authority', { cluster: 'server: http://{{http}}\ncertificate-authority-data: {{root64}}' }),
  one('plain http with an invalid authority', {
    cluster: 'server: http://{{http}}\ncertificate-authority-data: bm8gY2VydGlmaWNhdGU=',
  }),
  one('plain http with an authority and insecure', {
    cluster: 'server: http://{{http}}\ncertificate-authority-data: {{root64}}\ninsecure-skip-tls-verify: true',
  }),
  one('plain http with an invalid authority, by SOCKS', {
    cluster: 'server: http://{{http}}\ncertificate-authority-data: bm8gY2VydGlmaWNhdGU=\nproxy-url: socks5://{{socks}}',
  }),
  one('plain http with an authority that is not there', {
    cluster: 'server: http://{{http}}\ncertificate-authority: gone.crt',
  }),
  one(
    'plain http with an authority twice',
    {
      cluster: 'server: http://{{http}}\ncertificate-authority: ca.crt\ncertificate-authority-data: {{root64}}',
    },
    { files: { 'ca.crt': '{{root}}' } },
  ),
  one('plain http with an invalid certificate', {
    cluster: 'server: http://{{http}}',
    user: 'client-certificate-data: bm8gY2VydGlmaWNhdGU=\nclient-key-data: bm8ga2V5',
  }),
  one('plain http with a certificate that is not there', {
    cluster: 'server: http://{{http}}',
    user: 'client-certificate: gone.crt\nclient-key: gone.key',
  }),
  one('plain http with half a key pair', {
    cluster: 'server: http://{{http}}',
    user: 'client-certificate-data: {{client64}}',
  }),
  one('plain http with a command that is not installed', {
    cluster: 'server: http://{{http}}',
    user: 'exec: {apiVersion: client.authentication.k8s.io/v1, command: not-installed, interactiveMode: Never}',
  }),
  one('plain http with a login that kubectl dropped', {
    cluster: 'server: http://{{http}}',
    user: 'auth-provider: {name: gcp}',
  }),
  one('address that is a template which was not filled in', at('{ {api_url} }')),
  one('plain http with insecure', { cluster: 'server: http://{{http}}\ninsecure-skip-tls-verify: true' }),
  one(
    'plain http with a token file',
    {
      cluster: 'server: http://{{http}}',
      user: 'tokenFile: token',
    },
    { files: { token: 'tok-file\n' } },
  ),
  one('http to a server that speaks https', { cluster: 'server: http://{{https}}' }),
  one('https to a server that speaks http', at('https://{{http}}')),
  one('server name that the certificate has', {
    cluster:
      'server: https://{{named}}\ncertificate-authority-data: {{root64}}\ntls-server-name: kubernetes.example.test',
  }),
  one('server name that the certificate lacks', {
    cluster: `${CLUSTER}\ntls-server-name: wrong.example.test`,
  }),
  one('server name missing where it is needed', at('https://{{named}}')),
  one('server name that is empty', { cluster: `${CLUSTER}\ntls-server-name: ""` }),
  one('server name that is null', { cluster: `${CLUSTER}\ntls-server-name: ~` }),
  one('server name that is an address', { cluster: `${CLUSTER}\ntls-server-name: 127.0.0.1` }),
  one('server name of another address', { cluster: `${CLUSTER}\ntls-server-name: 192.0.2.1` }),
  one('server name beside insecure', {
    cluster: 'server: https://{{named}}\ninsecure-skip-tls-verify: true\ntls-server-name: anything.example.test',
  }),
  one('server name that a wildcard covers', { cluster: `${CLUSTER}\ntls-server-name: prod.cloud.example.test` }),
  one('server name that a wildcard does not cover', {
    cluster: `${CLUSTER}\ntls-server-name: a.prod.cloud.example.test`,
  }),
  one('name for an address', at('https://localhost:{{https.port}}')),
  one('compression switched off', { cluster: `${CLUSTER}\ndisable-compression: true` }),
  one('compression in quotes', { cluster: `${CLUSTER}\ndisable-compression: "true"` }),
  one('server name without a port', {
    cluster: `${SERVER}\ncertificate-authority-data: {{root64}}\ntls-server-name: localhost`,
  }),
]
