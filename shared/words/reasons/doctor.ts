import { counted, listed } from '../../grammar/counts.ts'
import type { OfRun, TextsOf } from '../steps/coded.ts'

/** The kubeconfig files that kubectl would read here. */
type Kubeconfigs = { readonly contexts: number; readonly paths: readonly string[] }

/** A held Lease; `node` null: the Lease for several nodes of the cloud. `operator`, `machine`: its holder; null if unknown. */
type Held = {
  readonly node: string | null
  readonly run: string
  readonly operator: string | null
  readonly machine: string | null
}

/** Findings of `lockkeeper doctor` about this machine, its kubeconfig and its clouds, and the next steps. */
export const DOCTOR_REASONS = {
  AddClusterNext: () => '`lockkeeper` offers the clouds found here; `lockkeeper cluster add NAME` adds one.',
  AskHolderNext: () => 'Ask them, or make a plan for it: that watches the Lease until it expires.',
  BrowserFound: ({ path }: { readonly path: string }) =>
    `${path} exists for the console and for PDF reports; the check did not start it.`,
  BrowserNamedWrongly: ({ path, variable }: { readonly path: string; readonly variable: string }) =>
    `${variable} names ${path}, which is not a program on this machine: reports cannot be printed as PDF.`,
  BrowserNotFound: ({ lookedFor }: { readonly lookedFor: readonly string[] }) =>
    `No Chromium was found (${lookedFor.join(', ')}): reports cannot be printed as PDF, and the console needs another browser. HTML reports need none.`,
  ClusterNotListed: ({ cluster }: { readonly cluster: string }) => `Cloud ${cluster} does not exist.`,
  ClusterWithoutCloud: () => 'It was added without OpenStack credentials: Lockkeeper does not see its instances.',
  CommandsAgreed: ({ running, ...kubeconfigs }: Kubeconfigs & { readonly running: number }) =>
    `${contextsIn(kubeconfigs)} You agreed to the commands that ${counted(running, 'context')} of them run.`,
  CommandsNotAgreed: ({ commands, ...kubeconfigs }: Kubeconfigs & { readonly commands: readonly string[] }) =>
    `${contextsIn(kubeconfigs)} ${listed(commands)} would run a command for credentials. Nobody has agreed to it yet, so it did not run.`,
  ConsentNext: () =>
    'Lockkeeper shows the command and asks you when you add or use such a cloud; `lockkeeper cluster consent NAME` agrees now.',
  GrantRightsNext: ({ cluster }: { readonly cluster: string }) =>
    `\`lockkeeper cluster test ${cluster}\` prints the manifest that grants the others.`,
  InstallBrowserNext: ({ variable }: { readonly variable: string }) => `Install one, or name it in ${variable}.`,
  InstallNodeNext: ({ needed }: { readonly needed: number }) => `Install Node ${needed}.`,
  LeaseHolderNotKnown: (held: Held) =>
    `${holding(held)}. This journal does not know whether it still runs; only watching the Lease shows that.`,
  LeaseHolderOver: (held: Held) => `${stillHolding(held)}, which has ended: the Lease is a leftover.`,
  LeaseHolderUnderWay: (held: Held) => `${holding(held)}, which is running.`,
  LeaseHolderUndriven: (held: Held) => `${stillHolding(held)}, but no console runs it.`,
  LeaseOfControllers: (holder: Pick<Held, 'operator' | 'machine'>) =>
    `The application controllers${ofHolder(holder)} hold it while they run.`,
  LeasesFree: () => 'No run holds a Lease of a node.',
  LeasesNotLookedFor: () => 'Lockkeeper could not look for leftover Leases: the API server did not answer.',
  ListClustersNext: () => '`lockkeeper cluster list` lists them.',
  LocaleNotUtf8: ({ locale }: { readonly locale: string | null }) =>
    `${localeWords(locale)}, which does not use UTF-8: lines start with plain letters instead of symbols. Nothing else depends on it.`,
  LocaleUtf8: ({ locale }: { readonly locale: string | null }) => `${localeWords(locale)}.`,
  NameBrowserNext: ({ variable }: { readonly variable: string }) =>
    `Name a Chromium, Chrome or Edge in ${variable}, or unset it.`,
  NoCommandsRun: (kubeconfigs: Kubeconfigs) => `${contextsIn(kubeconfigs)} No context runs a command for credentials.`,
  NoClusterRegistered: () => 'No cloud is registered yet.',
  NoKubeconfigHere: () => 'kubectl would find no kubeconfig here.',
  NodeRuns: ({ version }: { readonly version: string }) => nodeRuns(version),
  NodeTooOld: ({ version, needed }: { readonly version: string; readonly needed: number }) =>
    `${nodeRuns(version)} Lockkeeper needs ${needed} or newer.`,
  NothingToDoForLease: () =>
    'You need to do nothing: the next run takes the Lease once it has not changed for its whole duration.',
  PageBuildNext: () => 'In a checkout: `npm run build`. With a package: install it again.',
  PageMissing: () => 'The page of `lockkeeper serve` is missing: a browser cannot open the console.',
  PageThere: () => 'The page of `lockkeeper serve` exists.',
  ResumeOrAbortNext: ({ run }: OfRun) =>
    `\`lockkeeper run resume ${run}\` continues, \`lockkeeper run abort ${run}\` ends it and releases the node.`,
  RightsAllThere: ({ rights }: { readonly rights: number }) =>
    `The credentials have all ${counted(rights, 'right')} in Kubernetes that a maintenance needs.`,
  RightsPartlyThere: ({ held, rights }: { readonly held: number; readonly rights: number }) =>
    `The credentials have ${held} of ${counted(rights, 'right')}.`,
  TimeZoneNext: () => 'Set TZ to a name such as Europe/Berlin, or unset it.',
  TimeZoneUnknown: ({ wanted, timeZone }: { readonly wanted: string; readonly timeZone: string }) =>
    `TZ is "${wanted}", which is not a known time zone; Lockkeeper writes times in ${timeZone}.`,
  TimeZoneUsed: ({ timeZone }: { readonly timeZone: string }) => `Lockkeeper writes times in ${timeZone}.`,
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
  return `${placeOf(held)} is locked by ${holderOf(held)}`
}

function stillHolding(held: Held): string {
  return `${placeOf(held)} is still locked by ${holderOf(held)}`
}

function placeOf({ node }: Held): string {
  return node ?? 'The cloud as a whole'
}

function holderOf({ run, ...holder }: Held): string {
  return `run ${run === '' ? '(not named)' : run}${ofHolder(holder)}`
}

function ofHolder({ operator, machine }: Pick<Held, 'operator' | 'machine'>): string {
  const who = [operator, machine].filter(word => word !== null && word !== '')
  return who.length === 0 ? '' : ` of ${who.join(' on ')}`
}
