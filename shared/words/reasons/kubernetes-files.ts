import { type Cause, type Finding, type Names, type OfFile, someNames, type TextsOf } from '../steps/coded.ts'
import { yamlProblem } from './files.ts'

/** `fault`: what is wrong with a file, a clause without a full stop. */
type Faulty = { readonly fault: Finding }

/** `cut`: files with several YAML documents, of which only the first counts. */
type OfContext = { readonly context: string; readonly cut: readonly string[] }

type Offered = { readonly contexts: Names; readonly cut: readonly string[] }

/** A file that an entry of a kubeconfig names. */
type NamedFile = OfFile & { readonly path: string; readonly entry: string; readonly field: string }

/** A credential command that a kubeconfig names. */
type OfPlugin = OfFile & { readonly command: string }

type UnusableAnswer =
  | 'not-json'
  | 'not-exec-credential'
  | 'other-version'
  | 'no-credential'
  | 'half-a-pair'
  | 'no-time'
  | 'token-unusable'

/** The required type of a field of a kubeconfig. */
type Wanted = 'text' | 'truth' | 'base64' | 'list' | 'mapping'

type ClusterFault = 'authority-twice' | 'authority-unchecked'

/** Settings of a user that exclude each other, or a missing one. */
type UserFault =
  | 'certificate-twice'
  | 'key-twice'
  | 'certificate-without-key'
  | 'key-without-certificate'
  | 'token-and-password'
  | 'command-and-provider'
  | 'provider-without-name'
  | 'command-missing'
  | 'interactive-mode-missing'
  | 'interactive-mode-unknown'
  | 'acts-as-nobody'
  | 'acts-as-no-name'

/** Faults of kubeconfigs, the files they name and their credentials. */
export const KUBERNETES_FILES_REASONS = {
  KubeconfigMissing: ({ files }: { readonly files: readonly string[] }) =>
    `No kubeconfig exists at ${files.join(', ')}. Put it back there, or add the cloud again with the right path.`,
  KubeconfigUnreadable: ({ file, fault }: OfFile & Faulty) => `Kubeconfig ${file} cannot be read: ${fault.message}.`,
  KubeconfigUnusable: ({ file, fault }: OfFile & Faulty) =>
    `Kubeconfig ${file} is unusable: ${fault.message}. Write the entries out, in a separate file.`,
  KubeconfigNotYaml: ({ file, line, cause }: OfFile & Cause & { readonly line: number }) =>
    `Kubeconfig ${file} is not valid YAML at line ${line} (${yamlProblem(cause)}). Correct that line; \`kubectl config view --kubeconfig ${file}\` shows whether it is valid then.`,
  KubeconfigFieldWrong: ({ file, field, wanted }: OfFile & { readonly field: string; readonly wanted: Wanted }) =>
    `Kubeconfig ${file} has a wrong value: ${field} must be ${WANTED[wanted]}. kubectl refuses it too. Correct it there.`,
  KubeconfigOfOtherKind: ({ file, is, of }: OfFile & { readonly is: string; readonly of: string }) =>
    `${file} is not a kubeconfig: its kind is ${is} in ${of}, but a kubeconfig has kind Config in v1. Check the path.`,
  ClusterUnusable: ({ file, cluster, fault }: OfFile & { readonly cluster: string; readonly fault: ClusterFault }) =>
    `Cluster "${cluster}" in ${file} is unusable: ${CLUSTER_FAULTS[fault]} kubectl refuses it too.`,
  UserUnusable: ({ file, user, fault }: OfFile & { readonly user: string; readonly fault: UserFault }) =>
    `User "${user}" in ${file} is unusable: ${USER_FAULTS[fault]} kubectl refuses it too.`,
  AuthorityUnreadable: ({ file, cluster }: OfFile & { readonly cluster: string }) =>
    `The certificate-authority of cluster "${cluster}" in ${file} contains no readable certificate. Write it as PEM, and as base64 of PEM in certificate-authority-data.`,
  ClientCertificateUnreadable: ({ file, user }: OfFile & { readonly user: string }) =>
    `The client-certificate of user "${user}" in ${file} contains no readable certificate. Write it as PEM, and as base64 of PEM in client-certificate-data.`,
  ClientKeyUnusable: ({ file, user, fault }: OfFile & { readonly user: string; readonly fault: KeyFault }) =>
    `The client-key of user "${user}" in ${file} ${KEY_FAULTS[fault]}`,
  OidcSettingMissing: ({ file, user, setting }: OfFile & { readonly user: string; readonly setting: string }) =>
    `The auth-provider oidc of user "${user}" in ${file} has no ${setting}. Add it, or sign in again with your cluster's login tool.`,
  NotAKubeconfig: ({ file }: OfFile) => `${file} is not a kubeconfig: its top level is not a mapping. Check the path.`,
  KubeconfigNameTwice: ({
    file,
    kind,
    name,
  }: OfFile & { readonly kind: 'cluster' | 'user' | 'context'; readonly name: string }) =>
    `Kubeconfig ${file} has a duplicate name: two ${kind}s are called "${name}". kubectl refuses it too. Rename one of them, with the contexts that use it, or keep each in a separate file.`,
  KubeconfigWithoutCurrentContext: (offered: Offered) =>
    `The kubeconfig has no current context. ${offered.contexts.total === 0 ? '' : 'Name one. '}${offerOf(offered)}`,
  ContextMissing: ({ context, ...offered }: Offered & { readonly context: string }) =>
    `The kubeconfig has no context "${context}". ${offerOf(offered)}`,
  ContextWithoutCluster: ({ context, file, cluster, cut }: OfContext & OfFile & { readonly cluster: string }) =>
    cluster === ''
      ? `Context "${context}" in ${file} names no cluster. Add the name of one to it.${cutWords(cut)}`
      : `Context "${context}" in ${file} names cluster "${cluster}", which no file defines. Add the cluster, or correct the context.${cutWords(cut)}`,
  ContextWithoutUser: ({ context, file, user, cut }: OfContext & OfFile & { readonly user: string }) =>
    `Context "${context}" in ${file} names user "${user}", which no file defines. Add the user, or correct the context.${cutWords(cut)}`,
  ServerAddressUnusable: ({ file, cluster }: OfFile & { readonly cluster: string }) =>
    `Cluster "${cluster}" in ${file} has no usable server address. Write it as https://host:port.`,
  ProxyAddressUnusable: ({ variable }: { readonly variable: string | null }) =>
    `The proxy in ${variable === null ? 'proxy-url in the kubeconfig' : `the environment variable ${variable}`} is not a usable address. Write it as http://host:port or socks5://host:port.`,
  NamedFileMissing: (named: NamedFile) => namedFile(named, 'it does not exist'),
  NamedFileIsContents: ({ entry, file, field }: OfFile & { readonly entry: string; readonly field: string }) =>
    `"${entry}" in ${file}: ${field} must be the path of a file, not its contents. Put ${field === 'tokenFile' ? 'the token in token' : `base64 contents in ${field}-data`} instead.`,
  NamedFileUnreadable: ({ fault, ...named }: NamedFile & Faulty) => namedFile(named, fault.message),
  ConnectionNotEncrypted: ({ host }: { readonly host: string }) =>
    `The connection to ${host} is not encrypted, so others on the network can read and change it. Like kubectl, Lockkeeper sends no credentials over it.`,
  CertificateNotChecked: ({ host }: { readonly host: string }) =>
    `Lockkeeper does not check the certificate of ${host} (insecure-skip-tls-verify), so another server may answer.`,
  TokenHasLineBreak: ({ file, user }: OfFile & { readonly user: string }) =>
    `The token of user "${user}" in ${file} contains a line break, a space or another invalid character. Write it on one line, without spaces.`,
  TokenFileUnusable: ({ file, user }: OfFile & { readonly user: string }) =>
    `Token file ${file} of user "${user}" is empty or cannot be read. Put a token there.`,
  AuthProviderDropped: ({ user, provider }: { readonly user: string; readonly provider: string }) =>
    `User "${user}" signs in with auth-provider "${provider}", which kubectl removed in 1.26. Use an exec plugin in the kubeconfig instead.`,
  OidcTokenNotJwt: ({ file, user }: OfFile & { readonly user: string }) =>
    `The id-token of user "${user}" in ${file} is not a JSON web token and could not be renewed. Sign in again with your cluster's login tool.`,
  OidcTokenOver: ({ file, user }: OfFile & { readonly user: string }) =>
    `The OpenID Connect token of user "${user}" in ${file} has expired and could not be renewed. Sign in again with your cluster's login tool.`,
  CommandNotAgreed: ({
    file,
    user,
    command,
    program,
    exchanged,
  }: OfPlugin & {
    readonly user: string
    readonly program: { readonly path: string; readonly sha256: string } | null
    readonly exchanged: boolean
  }) =>
    `${file} wants to run \`${command}\`${program === null ? '' : ` (the program ${program.path}, SHA-256 ${program.sha256}…)`} to sign in as "${user}".${exchanged ? ' The program changed since the session was opened.' : ''} Nobody has agreed to exactly this program. Check it, agree to it, then try again.`,
  PluginVersionUnsupported: ({ version, ...plugin }: OfPlugin & { readonly version: string }) =>
    `${pluginOf(plugin)} uses "${version}", which is not supported. Update the plugin, then write client.authentication.k8s.io/v1.`,
  PluginNeedsTerminal: (plugin: OfPlugin) =>
    `${pluginOf(plugin)} requires a terminal (interactiveMode Always), and there is no terminal here. Sign in manually first and set IfAvailable.`,
  PluginMissing: ({ hint, ...plugin }: OfPlugin & { readonly hint: string }) =>
    notStarted(plugin, 'there is no such command', hint),
  PluginNotStarted: ({ cause, hint, ...plugin }: OfPlugin & Cause & { readonly hint: string }) =>
    notStarted(plugin, cause === '' ? 'unknown reason' : cause, hint),
  PluginSilent: ({ seconds, ...plugin }: OfPlugin & { readonly seconds: number }) =>
    `${pluginOf(plugin)} did not answer within ${seconds} s. Run it manually to see what it waits for.`,
  PluginFailed: ({ exitCode, ...plugin }: OfPlugin & { readonly exitCode: number | null }) =>
    `${pluginOf(plugin)} ${exitCode === null ? 'was ended by a signal' : `ended with exit code ${exitCode}`}. Run it manually to see why; often you have to sign in again.`,
  PluginAnswerUnusable: ({ fault, ...plugin }: OfPlugin & { readonly fault: UnusableAnswer }) =>
    `${pluginOf(plugin)} gave an unusable answer: ${UNUSABLE[fault]}. Run it manually to see it.`,
  VariableNameUnusable: () => 'a variable with an invalid name',
  NotInAPod: () =>
    'Lockkeeper does not run in a pod here: KUBERNETES_SERVICE_HOST and KUBERNETES_SERVICE_PORT are not set. Give a kubeconfig, or run it as a pod.',
} satisfies TextsOf<string>

const UNUSABLE: Readonly<Record<UnusableAnswer, string>> = {
  'not-json': 'not JSON',
  'not-exec-credential': 'not an ExecCredential',
  'other-version': 'another version than the kubeconfig asks for',
  'no-credential': 'neither a token nor a certificate with its key',
  'half-a-pair': 'a certificate without its key, or a key alone',
  'no-time': 'an expirationTimestamp that is not a time',
  'token-unusable': 'a token with a line break, a space or another invalid character',
}

type KeyFault = 'encrypted' | 'unreadable' | 'of-another'

const KEY_FAULTS: Readonly<Record<KeyFault, string>> = {
  encrypted: 'has a password, which kubectl does not accept either. Write it without a password.',
  unreadable: 'cannot be read. Write it as PEM, and as base64 of PEM in client-key-data.',
  'of-another': 'is not the key of its client-certificate. Use a certificate and the key that belongs to it.',
}

const WANTED: Readonly<Record<Wanted, string>> = {
  text: 'text (quote numbers, true, false and templates such as {{ name }})',
  truth: 'true or false, without quotes',
  base64: 'base64 on one line',
  list: 'a list',
  mapping: 'a mapping',
}

const CLUSTER_FAULTS: Readonly<Record<ClusterFault, string>> = {
  'authority-twice': 'it has certificate-authority and certificate-authority-data. Keep one.',
  'authority-unchecked': 'it names a certificate authority and insecure-skip-tls-verify. Keep one.',
}

const USER_FAULTS: Readonly<Record<UserFault, string>> = {
  'certificate-twice': 'it has client-certificate and client-certificate-data. Keep one.',
  'key-twice': 'it has client-key and client-key-data. Keep one.',
  'certificate-without-key': 'it has a client certificate without its key. Add client-key or client-key-data.',
  'key-without-certificate':
    'it has a client key without its certificate. Add client-certificate or client-certificate-data.',
  'token-and-password': 'it has a token, and a name or a password. Keep one.',
  'command-and-provider': 'it has exec and auth-provider. Keep one.',
  'provider-without-name': 'its auth-provider has no name. Add it.',
  'command-missing': 'its exec has no command. Add it.',
  'interactive-mode-missing': 'its exec has no interactiveMode, which v1 needs. Write Never, IfAvailable or Always.',
  'interactive-mode-unknown': 'its exec has an unknown interactiveMode. Write Never, IfAvailable or Always.',
  'acts-as-nobody': 'it has as-groups, as-uid or as-user-extra without as. Name the user in as.',
  'acts-as-no-name': 'a name of its impersonation has a line break or another control character. Write it on one line.',
}

/** Longest list of contexts in a text. */
const MOST_CONTEXTS = 50

function offerOf({ contexts, cut }: Offered): string {
  const names = contexts.names.map(name => name || 'one without a name')
  const listed =
    contexts.total === 0
      ? 'It has no contexts.'
      : `Contexts there: ${someNames({ ...contexts, names }, MOST_CONTEXTS)}.`
  return `${listed}${cutWords(cut)}`
}

function cutWords(cut: readonly string[]): string {
  if (cut.length === 0) return ''
  return ` Like kubectl, Lockkeeper reads only the first YAML document of ${cut.join(' and ')}. Put each further document into a separate file.`
}

function namedFile({ path, entry, file, field }: NamedFile, why: string): string {
  return `${path} cannot be read: ${why}. "${entry}" in ${file} names it as ${field}. Check that the file exists and is readable.`
}

function pluginOf({ command, file }: OfPlugin): string {
  return `The credential command \`${command}\` of ${file}`
}

function notStarted(plugin: OfPlugin, why: string, hint: string): string {
  return `${pluginOf(plugin)} cannot be started: ${why}. ${hint || 'Install it, or correct the kubeconfig.'}`
}
