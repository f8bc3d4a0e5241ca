import type { KubeconfigSituation } from '../situations.ts'
import { one, TOKEN } from './config.ts'

/** A program that answers with a credential; what it prints comes from its argument, or from its environment. */
const answers = (body: string) => `#!/bin/sh\ncat <<'THE_END'\n${body}\nTHE_END\n`
const credential = (status: string, version = 'client.authentication.k8s.io/v1') =>
  answers(`{"apiVersion":"${version}","kind":"ExecCredential","status":${status}}`)
const TOKEN_STATUS = '{"token":"tok-exec"}'

const exec = (lines: string) => ({ user: `exec:\n  ${lines.replaceAll('\n', '\n  ')}` })
const V1 = 'apiVersion: client.authentication.k8s.io/v1\ninteractiveMode: Never'
const PLUGIN = { 'plugin.sh': credential(TOKEN_STATUS) }
const run = (name: string, more: string, files: Readonly<Record<string, string>> = PLUGIN) =>
  one(name, exec(`${V1}\ncommand: ./plugin.sh${more === '' ? '' : `\n${more}`}`), { files })

/** Commands that fetch credentials. */
export const EXEC: readonly KubeconfigSituation[] = [
  run('command', ''),
  run('command with args and env that are null', 'args: null\nenv: null'),
  run('command with args', 'args: [tok-arg]', {
    'plugin.sh':
      '#!/bin/sh\nprintf \'{"apiVersion":"client.authentication.k8s.io/v1","kind":"ExecCredential","status":{"token":"%s"}}\' "$1"\n',
  }),
  run('command with args that are numbers', 'args: [7]', {
    'plugin.sh':
      '#!/bin/sh\nprintf \'{"apiVersion":"client.authentication.k8s.io/v1","kind":"ExecCredential","status":{"token":"%s"}}\' "$1"\n',
  }),
  run('command with env', 'env:\n- {name: WHO, value: tok-env}', {
    'plugin.sh':
      '#!/bin/sh\nprintf \'{"apiVersion":"client.authentication.k8s.io/v1","kind":"ExecCredential","status":{"token":"%s"}}\' "$WHO"\n',
  }),
  run('command with env as a mapping', 'env: {WHO: tok-env}'),
  run('command that gives a certificate', '', {
    'plugin.sh': `#!/bin/sh\ncat "$(dirname "$0")/answer.json"\n`,
    'answer.json':
      '{"apiVersion":"client.authentication.k8s.io/v1","kind":"ExecCredential","status":{"clientCertificateData":"{{client-json}}","clientKeyData":"{{client-key-json}}"}}',
  }),
  run('command that gives a certificate and a token', '', {
    'plugin.sh': `#!/bin/sh\ncat "$(dirname "$0")/answer.json"\n`,
    'answer.json':
      '{"apiVersion":"client.authentication.k8s.io/v1","kind":"ExecCredential","status":{"token":"tok-exec","clientCertificateData":"{{client-json}}","clientKeyData":"{{client-key-json}}"}}',
  }),
  run('command that gives a certificate without its key', '', {
    'plugin.sh': `#!/bin/sh\ncat "$(dirname "$0")/answer.json"\n`,
    'answer.json':
      '{"apiVersion":"client.authentication.k8s.io/v1","kind":"ExecCredential","status":{"token":"tok-exec","clientCertificateData":"{{client-json}}"}}',
  }),
  run('command that gives no credential', '', { 'plugin.sh': credential('{}') }),
  run('command that gives an empty token', '', { 'plugin.sh': credential('{"token":""}') }),
  run('command without a status', '', {
    'plugin.sh': answers('{"apiVersion":"client.authentication.k8s.io/v1","kind":"ExecCredential"}'),
  }),
  run('command that prints no JSON', '', { 'plugin.sh': answers('tok-exec') }),
  run('command that prints nothing', '', { 'plugin.sh': '#!/bin/sh\n' }),
  run('command that prints words first', '', {
    'plugin.sh': answers(
      `signing in ...\n{"apiVersion":"client.authentication.k8s.io/v1","kind":"ExecCredential","status":${TOKEN_STATUS}}`,
    ),
  }),
  run('command that prints another kind', '', {
    'plugin.sh': answers(`{"apiVersion":"v1","kind":"Secret","status":${TOKEN_STATUS}}`),
  }),
  run('command that prints another version', '', {
    'plugin.sh': credential(TOKEN_STATUS, 'client.authentication.k8s.io/v1beta1'),
  }),
  run('command that fails', '', { 'plugin.sh': '#!/bin/sh\nexit 3\n' }),
  run('command that fails after it answered', '', { 'plugin.sh': `${credential(TOKEN_STATUS)}exit 3\n` }),
  run('command whose token has ended', '', {
    'plugin.sh': credential('{"token":"tok-exec","expirationTimestamp":"2001-01-01T00:00:00Z"}'),
  }),
  run('command whose token ends at no time', '', {
    'plugin.sh': credential('{"token":"tok-exec","expirationTimestamp":"soon"}'),
  }),
  run('command whose token has a line break', '', { 'plugin.sh': credential('{"token":"tok-exec\\n"}') }),
  run('command whose token is a number', '', { 'plugin.sh': credential('{"token":7}') }),
  run('command that wants cluster info', 'provideClusterInfo: true', {
    'plugin.sh':
      '#!/bin/sh\ncase "$KUBERNETES_EXEC_INFO" in *\'"server":"https://\'*\'"certificate-authority-data":\'*) t=tok-info;; *\'"server"\'*) t=tok-server;; *) t=tok-none;; esac\nprintf \'{"apiVersion":"client.authentication.k8s.io/v1","kind":"ExecCredential","status":{"token":"%s"}}\' "$t"\n',
  }),
  run('command that is not given cluster info', '', {
    'plugin.sh':
      '#!/bin/sh\ncase "$KUBERNETES_EXEC_INFO" in *\'"server"\'*) t=tok-server;; *\'"interactive":false\'*) t=tok-plain;; *) t=tok-none;; esac\nprintf \'{"apiVersion":"client.authentication.k8s.io/v1","kind":"ExecCredential","status":{"token":"%s"}}\' "$t"\n',
  }),
  one(
    'command of v1 without an interactive mode',
    exec('apiVersion: client.authentication.k8s.io/v1\ncommand: ./plugin.sh'),
    { files: PLUGIN },
  ),
  one(
    'command of v1 with an unknown interactive mode',
    exec('apiVersion: client.authentication.k8s.io/v1\ninteractiveMode: Sometimes\ncommand: ./plugin.sh'),
    { files: PLUGIN },
  ),
  one(
    'command that may ask',
    exec('apiVersion: client.authentication.k8s.io/v1\ninteractiveMode: IfAvailable\ncommand: ./plugin.sh'),
    { files: PLUGIN },
  ),
  one(
    'command that has to ask',
    exec('apiVersion: client.authentication.k8s.io/v1\ninteractiveMode: Always\ncommand: ./plugin.sh'),
    { files: PLUGIN },
  ),
  one('command of v1beta1', exec('apiVersion: client.authentication.k8s.io/v1beta1\ncommand: ./plugin.sh'), {
    files: { 'plugin.sh': credential(TOKEN_STATUS, 'client.authentication.k8s.io/v1beta1') },
  }),
  one(
    'command of v1beta1 that answers v1',
    exec('apiVersion: client.authentication.k8s.io/v1beta1\ncommand: ./plugin.sh'),
    { files: PLUGIN },
  ),
  one('command of v1alpha1', exec('apiVersion: client.authentication.k8s.io/v1alpha1\ncommand: ./plugin.sh'), {
    files: { 'plugin.sh': credential(TOKEN_STATUS, 'client.authentication.k8s.io/v1alpha1') },
  }),
  one('command without a version', exec('command: ./plugin.sh'), { files: PLUGIN }),
  one('command with a version of another group', exec('apiVersion: v1\ncommand: ./plugin.sh'), { files: PLUGIN }),
  one('command that is not there', exec(`${V1}\ncommand: ./gone.sh\ninstallHint: install it`)),
  one('command that is not there by its name', exec(`${V1}\ncommand: no-such-plugin-here`)),
  one('command that cannot be run', exec(`${V1}\ncommand: ./plugin.txt`), {
    files: { 'plugin.txt': credential(TOKEN_STATUS) },
  }),
  one('command that is empty', exec(`${V1}\ncommand: ""`)),
  one('command that is missing', exec(V1)),
  one('command by its name in PATH', exec(`${V1}\ncommand: plugin.sh`), {
    files: { 'bin/plugin.sh': credential(TOKEN_STATUS) },
    environment: { PATH: '{{folder}}/bin:/usr/bin:/bin' },
  }),
  one('command by its name beside the kubeconfig', exec(`${V1}\ncommand: plugin.sh`), { files: PLUGIN }),
  one('command by its whole path', exec(`${V1}\ncommand: {{folder}}/plugin.sh`), { files: PLUGIN }),
  one('command with its args in one text', exec(`${V1}\ncommand: ./plugin.sh now`), { files: PLUGIN }),
  one('command beside a token', { user: `${TOKEN}\n${exec(`${V1}\ncommand: ./plugin.sh`).user}` }, { files: PLUGIN }),
  one(
    'command beside a name and password',
    { user: `username: me\npassword: pass\n${exec(`${V1}\ncommand: ./plugin.sh`).user}` },
    { files: PLUGIN },
  ),
  one(
    'command beside a certificate',
    {
      user: `client-certificate-data: {{client64}}\nclient-key-data: {{client-key64}}\n${exec(`${V1}\ncommand: ./plugin.sh`).user}`,
    },
    { files: PLUGIN },
  ),
  one(
    'command beside a provider',
    { user: `auth-provider: {name: oidc}\n${exec(`${V1}\ncommand: ./plugin.sh`).user}` },
    { files: PLUGIN },
  ),
  one('command beside as', { user: `as: jane\n${exec(`${V1}\ncommand: ./plugin.sh`).user}` }, { files: PLUGIN }),
  one('command that is null', { user: `exec: null\n${TOKEN}` }),
  one(
    'command over plain http',
    { cluster: 'server: http://{{http}}', ...exec(`${V1}\ncommand: ./plugin.sh`) },
    { files: PLUGIN },
  ),
]
