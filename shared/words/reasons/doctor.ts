import { counted, listed } from '../../grammar/counts.ts'
import type { OfRun, TextsOf } from '../steps/coded.ts'

/** A kubeconfig as kubectl would read it here. */
type Kubeconfigs = { readonly contexts: number; readonly paths: readonly string[] }

/** A Lease that somebody holds; `node` null: it is of the cluster as a whole. `operator`, `machine`: of its holder, as far as it says. */
type Held = {
  readonly node: string | null
  readonly run: string
  readonly operator: string | null
  readonly machine: string | null
}

/** Texts of `lockkeeper doctor` about this machine, its kubeconfig and its clusters: what was seen, and what to do next. */
export const DOCTOR_REASONS = {
  AddClusterNext: () => '`lockkeeper` offers those found here; `lockkeeper cluster add NAME` adds one.',
  AskHolderNext: () => 'Ask them, or begin a plan for it: that watches the Lease for as long as it lasts.',
  BrowserFound: ({ path }: { readonly path: string }) =>
    `${path} is there for the console and for PDF reports; it was not started.`,
  BrowserNamedWrongly: ({ path, variable }: { readonly path: string; readonly variable: string }) =>
    `${variable} names ${path}, which is no program here: no PDF can be printed.`,
  BrowserNotFound: ({ lookedFor }: { readonly lookedFor: readonly string[] }) =>
    `No Chromium was found (${lookedFor.join(', ')}): reports cannot be printed as PDF, and the console needs some other browser. HTML reports need none.`,
  ClusterNotListed: ({ cluster }: { readonly cluster: string }) => `There is no cluster named ${cluster}.`,
  ClusterWithoutCloud: () => 'It was added without a cloud: there are no instances to look after.',
  CommandsAgreed: ({ running, ...kubeconfigs }: Kubeconfigs & { readonly running: number }) =>
    `${contextsIn(kubeconfigs)} You agreed to the commands that ${counted(running, 'context')} of them run.`,
  CommandsNotAgreed: ({ commands, ...kubeconfigs }: Kubeconfigs & { readonly commands: readonly string[] }) =>
    `${contextsIn(kubeconfigs)} Of ${listed(commands)} a command is run for credentials, to which nobody agreed yet; it was not run.`,
  ConsentNext: () =>
    'You are shown the command and asked when such a cluster is added or used; `lockkeeper cluster consent NAME` does it at once.',
  GrantRightsNext: ({ cluster }: { readonly cluster: string }) =>
    `\`lockkeeper cluster test ${cluster}\` prints the manifest that grants the others.`,
  InstallBrowserNext: ({ variable }: { readonly variable: string }) => `Install one, or name it in ${variable}.`,
  InstallNodeNext: ({ needed }: { readonly needed: number }) => `Install Node ${needed}.`,
  LeaseHolderNotKnown: (held: Held) =>
    `${holding(held)}, which this journal does not know to be over. Whether somebody drives it only watching it tells.`,
  LeaseHolderOver: (held: Held) => `${stillHolding(held)}, which is over: it was left behind.`,
  LeaseHolderUnderWay: (held: Held) => `${holding(held)}, which is under way.`,
  LeaseHolderUndriven: (held: Held) => `${stillHolding(held)}, which nobody drives.`,
  LeasesFree: () => 'Nobody holds a node.',
  LeasesNotLookedFor: () => 'Leases left behind could not be looked for: the API server was not heard.',
  ListClustersNext: () => '`lockkeeper cluster list` lists them.',
  LocaleNotUtf8: ({ locale }: { readonly locale: string | null }) =>
    `${localeWords(locale)}, which is not one of UTF-8: signs before lines are plain letters. Nothing else depends on it.`,
  LocaleUtf8: ({ locale }: { readonly locale: string | null }) => `${localeWords(locale)}.`,
  NameBrowserNext: ({ variable }: { readonly variable: string }) =>
    `Name a Chromium, Chrome or Edge in ${variable}, or unset it.`,
  NoCommandsRun: (kubeconfigs: Kubeconfigs) => `${contextsIn(kubeconfigs)} None runs a command for credentials.`,
  NoClusterRegistered: () => 'No cluster is registered yet.',
  NoKubeconfigHere: () => 'There is no kubeconfig where kubectl looks for one.',
  NodeRuns: ({ version }: { readonly version: string }) => nodeRuns(version),
  NodeTooOld: ({ version, needed }: { readonly version: string; readonly needed: number }) =>
    `${nodeRuns(version)} ${needed} or newer is needed.`,
  NothingToDoForLease: () =>
    'Nothing needs to be done: the next run takes it once it was seen unchanged for as long as it lasts.',
  PageBuildNext: () => 'In a checkout: `npm run build`. Of a package: install it again.',
  PageMissing: () => 'The page of `lockkeeper serve` is not there: the console cannot be opened in a browser.',
  PageThere: () => 'The page of `lockkeeper serve` is there.',
  ResumeOrAbortNext: ({ run }: OfRun) =>
    `\`lockkeeper run resume ${run}\` goes on, \`lockkeeper run abort ${run}\` ends it and gives the node back.`,
  RightsAllThere: ({ rights }: { readonly rights: number }) =>
    `All ${counted(rights, 'right')} that a maintenance needs of Kubernetes are there.`,
  RightsPartlyThere: ({ held, rights }: { readonly held: number; readonly rights: number }) =>
    `${held} of ${counted(rights, 'right')} are there.`,
  TimeZoneNext: () => 'Set TZ to a name such as Europe/Berlin, or unset it.',
  TimeZoneUnknown: ({ wanted, timeZone }: { readonly wanted: string; readonly timeZone: string }) =>
    `TZ is "${wanted}", which is no time zone known here; times are written as of ${timeZone}.`,
  TimeZoneUsed: ({ timeZone }: { readonly timeZone: string }) => `Times are written as of ${timeZone}.`,
} satisfies TextsOf<string>

function nodeRuns(version: string): string {
  return `Node ${version} runs Lockkeeper.`
}

function localeWords(locale: string | null): string {
  return locale === null ? 'No locale is set' : `The locale is ${locale}`
}

function contextsIn({ contexts, paths }: Kubeconfigs): string {
  return `${counted(contexts, 'context')} in ${listed(paths)}.`
}

function holding(held: Held): string {
  return `${placeOf(held)} is held by ${holderOf(held)}`
}

function stillHolding(held: Held): string {
  return `${placeOf(held)} is still held by ${holderOf(held)}`
}

function placeOf({ node }: Held): string {
  return node ?? 'the cluster as a whole'
}

function holderOf({ run, operator, machine }: Held): string {
  const who = [operator, machine].filter(word => word !== null && word !== '')
  return `run ${run === '' ? '(not named)' : run}${who.length === 0 ? '' : ` of ${who.join(' on ')}`}`
}
