import { type Cause, type Names, someNames, type TextsOf } from '../steps/coded.ts'

/** What is about an entry of a kubeconfig. */
type OfFile = { readonly file: string }

/** `cut`: files of which only the first YAML document counts, and that hold more. */
type OfContext = { readonly context: string; readonly cut: readonly string[] }

/** Contexts that there are. */
type Offered = { readonly contexts: Names; readonly cut: readonly string[] }

/** A file that an entry of a kubeconfig names. */
type NamedFile = OfFile & { readonly path: string; readonly entry: string; readonly field: string }

/** A credential command that a kubeconfig names. */
type OfPlugin = OfFile & { readonly command: string }

/** What is wrong with the answer of a credential command. */
type UnusableAnswer = 'not-json' | 'not-exec-credential' | 'other-version' | 'no-credential'

/** Texts of kubeconfigs, of what they name, and of the credentials in them. */
export const KUBERNETES_FILES_REASONS = {
  KubeconfigMissing: ({ files }: { readonly files: readonly string[] }) =>
    `There is no kubeconfig at ${files.join(', ')}. Put it back there, or add the cluster again with the right path.`,
  KubeconfigUnreadable: ({ file, cause }: OfFile & Cause) => `Kubeconfig ${file} cannot be read: ${cause}.`,
  KubeconfigUnusable: ({ file, cause }: OfFile & Cause) =>
    `Kubeconfig ${file} cannot be used: ${cause}. Write the entries out, in a file of their own.`,
  KubeconfigNotYaml: ({ file, line, cause }: OfFile & Cause & { readonly line: number }) =>
    `Kubeconfig ${file} is not valid YAML at line ${line} (${cause}). Correct that line; \`kubectl config view --kubeconfig ${file}\` shows whether it is valid then.`,
  NotAKubeconfig: ({ file }: OfFile) => `${file} is not a kubeconfig: its top level is not a mapping. Check the path.`,
  KubeconfigNameTwice: ({
    file,
    kind,
    name,
  }: OfFile & { readonly kind: 'cluster' | 'user' | 'context'; readonly name: string }) =>
    `Kubeconfig ${file} has a duplicate name: two ${kind}s are called "${name}". kubectl refuses it too. Rename one of them, with the contexts that use it, or keep each in a file of its own.`,
  KubeconfigWithoutCurrentContext: (offered: Offered) =>
    `The kubeconfig has no current context. ${offered.contexts.total === 0 ? '' : 'Name one. '}${offerOf(offered)}`,
  ContextMissing: ({ context, ...offered }: Offered & { readonly context: string }) =>
    `The kubeconfig has no context "${context}". ${offerOf(offered)}`,
  ContextWithoutCluster: ({ context, file, cluster, cut }: OfContext & OfFile & { readonly cluster: string }) =>
    `Context "${context}" in ${file} names cluster "${cluster}", which no file defines. Add the cluster, or correct the context.${cutWords(cut)}`,
  ContextWithoutUser: ({ context, file, user, cut }: OfContext & OfFile & { readonly user: string }) =>
    `Context "${context}" in ${file} names user "${user}", which no file defines. Add the user, or correct the context.${cutWords(cut)}`,
  ServerAddressUnusable: ({ file, cluster }: OfFile & { readonly cluster: string }) =>
    `Cluster "${cluster}" in ${file} has no usable server address. Write it as https://host:port.`,
  ProxyAddressUnusable: ({ variable }: { readonly variable: string | null }) =>
    `The proxy in ${variable === null ? 'proxy-url in the kubeconfig' : `the environment variable ${variable}`} is not a usable address. Write it as http://host:port or socks5://host:port.`,
  NamedFileMissing: (named: NamedFile) => namedFile(named, 'it does not exist'),
  NamedFileUnreadable: ({ cause, ...named }: NamedFile & Cause) => namedFile(named, cause),
  ConnectionNotEncrypted: ({ host }: { readonly host: string }) =>
    `The connection to ${host} is not encrypted: anybody on the way can read and change it. As with kubectl, no credentials are sent over it.`,
  CertificateNotChecked: ({ host }: { readonly host: string }) =>
    `The certificate of ${host} is not checked (insecure-skip-tls-verify): it may be somebody else.`,
  TokenHasLineBreak: ({ file, user }: OfFile & { readonly user: string }) =>
    `The token of user "${user}" in ${file} has a line break, a space or another character that no token has. Write it on one line, without spaces.`,
  TokenFileUnusable: ({ file, user }: OfFile & { readonly user: string }) =>
    `Token file ${file} of user "${user}" is empty or cannot be read. Put a token there.`,
  AuthProviderDropped: ({ user, provider }: { readonly user: string; readonly provider: string }) =>
    `User "${user}" signs in with auth-provider "${provider}", which kubectl dropped in 1.26. Use an exec plugin in the kubeconfig instead.`,
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
    `${file} wants to run \`${command}\`${program === null ? '' : ` (the program ${program.path}, SHA-256 ${program.sha256}…)`} to sign in as "${user}".${exchanged ? ' Its program was exchanged since the session was opened.' : ''} Nobody agreed to exactly this; a program that was exchanged is another one. Look at it, agree to it, then try again.`,
  PluginVersionUnsupported: ({ version, ...plugin }: OfPlugin & { readonly version: string }) =>
    `${pluginOf(plugin)} speaks "${version}", which is not supported. Update the plugin, then write client.authentication.k8s.io/v1.`,
  PluginNeedsTerminal: (plugin: OfPlugin) =>
    `${pluginOf(plugin)} insists on a terminal (interactiveMode Always), and there is no terminal here. Sign in by hand first and set IfAvailable.`,
  PluginMissing: ({ hint, ...plugin }: OfPlugin & { readonly hint: string }) =>
    notStarted(plugin, 'there is no such command', hint),
  PluginNotStarted: ({ cause, hint, ...plugin }: OfPlugin & Cause & { readonly hint: string }) =>
    notStarted(plugin, cause === '' ? 'unknown reason' : cause, hint),
  PluginSilent: ({ seconds, ...plugin }: OfPlugin & { readonly seconds: number }) =>
    `${pluginOf(plugin)} gave no answer in ${seconds} s. Run it by hand to see what it waits for.`,
  PluginFailed: ({ exitCode, ...plugin }: OfPlugin & { readonly exitCode: number | null }) =>
    `${pluginOf(plugin)} ${exitCode === null ? 'was ended by a signal' : `ended with exit code ${exitCode}`}. Run it by hand to see why; often you have to sign in again.`,
  PluginAnswerUnusable: ({ fault, ...plugin }: OfPlugin & { readonly fault: UnusableAnswer }) =>
    `${pluginOf(plugin)} answered something unusable: ${UNUSABLE[fault]}. Run it by hand to see.`,
  VariableNameUnusable: () => 'a variable with an invalid name',
  NotInAPod: () =>
    'This is no pod of a cluster: KUBERNETES_SERVICE_HOST and KUBERNETES_SERVICE_PORT are not set. Give a kubeconfig, or run it as a pod.',
} satisfies TextsOf<string>

const UNUSABLE: Readonly<Record<UnusableAnswer, string>> = {
  'not-json': 'not JSON',
  'not-exec-credential': 'not an ExecCredential',
  'other-version': 'another version than the kubeconfig asks for',
  'no-credential': 'neither a token nor a certificate with its key',
}

/** As many as an operator can look through for the right one. */
const MOST_CONTEXTS = 50

function offerOf({ contexts, cut }: Offered): string {
  const listed =
    contexts.total === 0 ? 'There are no contexts in it.' : `Contexts there: ${someNames(contexts, MOST_CONTEXTS)}.`
  return `${listed}${cutWords(cut)}`
}

function cutWords(cut: readonly string[]): string {
  if (cut.length === 0) return ''
  return ` Of ${cut.join(' and ')} only the first YAML document counts, as for kubectl, and more follow in it: give each a file of its own.`
}

function namedFile({ path, entry, file, field }: NamedFile, why: string): string {
  return `${path} cannot be read: ${why}. "${entry}" in ${file} names it as ${field}. Check that the file is there and readable.`
}

function pluginOf({ command, file }: OfPlugin): string {
  return `The credential command \`${command}\` of ${file}`
}

function notStarted(plugin: OfPlugin, why: string, hint: string): string {
  return `${pluginOf(plugin)} cannot be started: ${why}. ${hint || 'Install it, or correct the kubeconfig.'}`
}
