import { listed } from '../../grammar/counts.ts'
import type { OfCluster, TextsOf } from '../steps/coded.ts'

type OfGiven = { readonly given: string }
type OfNodes = { readonly nodes: readonly string[] }
type OfPort = { readonly port: number; readonly error: string | null }
type OfRequest = { readonly request: string }
type OfRun = { readonly run: string }

/** Refusals of the terminal, the desktop app and the served console, before a request reaches the application. */
export const FACES_REASONS = {
  AttachPortNotOpened: ({ port, error }: OfPort) =>
    `Consoles cannot attach: could not open port ${port} on loopback (${error ?? 'unknown reason'}).`,
  ChoiceNotOffered: ({ choices, given }: OfGiven & { readonly choices: readonly string[] }) =>
    `The choices here are ${choices.join(' and ')}, not ${given}.`,
  ClusterNotRegistered: ({ cluster }: OfCluster) =>
    `There is no cloud named ${cluster}. \`lockkeeper cluster list\` lists the registered ones.`,
  CommandWorkOnlyInMaintain: () => '--work command=COMMAND works only with `maintain`, not with updates or windows.',
  DroppedFileTooLarge: ({ most }: { readonly most: number }) =>
    `The file has more than ${most} bytes, which is too large for a kubeconfig or clouds.yaml.`,
  FlagTakesDay: ({ flag, given }: OfGiven & { readonly flag: string }) =>
    `--${flag} takes a day such as 2026-11-01, or a time such as 2026-11-01T22:00:00Z, not "${given}".`,
  FlagTakesGroup: ({ given }: OfGiven) => `--group takes name=node,node:N, such as rack-1=cmp-1,cmp-2:2, not ${given}.`,
  FlagTakesRoleLimit: ({ given, roles }: OfGiven & { readonly roles: readonly string[] }) =>
    `--at-once takes ROLE=N, such as compute=2, not ${given}. Roles: ${roles.join(', ')}.`,
  FlagTakesWork: ({ given }: OfGiven) =>
    `--work takes person, boot-id, kubelet=VERSION, os-image=TEXT or job=FILE, and with \`maintain\` also command=COMMAND, not ${given}.`,
  ForeignSender: () => 'This request did not come from the Lockkeeper window and was refused.',
  GroupWithoutNodes: ({ group }: { readonly group: string }) => `Group "${group}" has no nodes.`,
  HandOverAwaited: ({ run }: OfRun) =>
    `Run ${run} was not handed over. It pauses when its running steps have finished.`,
  NoSuchHealthGate: ({ cluster, gate }: OfCluster & { readonly gate: string }) =>
    `${cluster} has no health gate "${gate}". \`lockkeeper cluster gate list ${cluster}\` lists them.`,
  HealthPortNotOpened: ({ port, error }: OfPort) =>
    `Could not open port ${port} for health and metrics (${error ?? 'unknown reason'}). Choose another with --port.`,
  HostModeWithoutCompute: ({ cluster, nodes }: OfCluster & OfNodes) =>
    `${listed(nodes)} cannot have a host mode: only nodes with the compute role run instances. Nothing changed. \`nodes ${cluster}\` shows the roles.`,
  IdAmbiguous: ({ given, matches }: OfGiven & { readonly matches: readonly string[] }) =>
    `Several ids begin with ${given}: ${matches.slice(0, MOST_NAMED).join('; ')}${matches.length > MOST_NAMED ? ` and ${matches.length - MOST_NAMED} more` : ''}. Type more of the id.`,
  InstancesNotIdentified: ({ problems }: { readonly problems: readonly string[] }) =>
    `${problems.join(' ')} Nothing changed.`,
  MaintenanceRequestUnknown: ({ cluster, request }: OfCluster & OfRequest) =>
    `${cluster} has no maintenance request named ${request}. \`requests ${cluster}\` lists them.`,
  ManifestNotRead: ({ file, cause }: { readonly file: string; readonly cause: string }) =>
    `Cannot read the manifest ${file}: ${cause} Check its path and permissions.`,
  NoDemoCloud: () => 'No demo cloud with OpenStack is running.',
  NoNodeForTour: ({ cluster, nodes }: OfCluster & { readonly nodes: number }) =>
    `None of the ${nodes} compute nodes of ${cluster} can go out of service with an instance to move.`,
  NoNodeOfRole: ({ cluster, role }: OfCluster & { readonly role: string }) =>
    `Cloud ${cluster} has no node of role ${role}. \`lockkeeper nodes ${cluster}\` lists its nodes.`,
  NoSuchTrouble: ({ given, troubles }: OfGiven & { readonly troubles: readonly string[] }) =>
    `The demo has no trouble "${given}". Troubles: ${troubles.join(', ')}.`,
  NoUpdateRunning: ({ cluster }: OfCluster) =>
    `No update or maintenance of several nodes of ${cluster} is running. \`lockkeeper runs ${cluster}\` lists earlier ones; \`lockkeeper update start ${cluster}\` starts one.`,
  NodesNeeded: ({ cluster }: OfCluster) =>
    `Name nodes of ${cluster}: --nodes A,B, --batch for each batch, or --update.`,
  NodesUnknown: ({ cluster, nodes }: OfCluster & OfNodes) =>
    `${cluster} has no node named ${listed(nodes)}. \`nodes ${cluster}\` lists them.`,
  OnlyWithDemo: ({ flag }: { readonly flag: string }) => `--${flag} is for demo clouds: give --demo too.`,
  OnlyInDemo: () => 'Troubles can be made only in the demo.',
  OwnBug: () => 'Lockkeeper failed because of a bug; the log has the details.',
  PageNotBuilt: ({ directory }: { readonly directory: string }) =>
    `The console's page is not built: ${directory} does not exist. Run \`npm run build\` first.`,
  PdfNotPrintedByDesktop: () => 'The desktop app could not print the PDF. Export HTML and print it from a browser.',
  PeerAsksTooMuch: ({ peer }: { readonly peer: string }) =>
    `This ${peer} has too many open requests. Wait for the answers.`,
  RequestNotForAttached: ({ request }: OfRequest) =>
    `An attached console cannot request ${request}. Use a MaintenanceRun or a MaintenanceRunControl, so that the API server proves who asks.`,
  RequestOutsideContract: () => 'The window sent a request that is not in the contract.',
  RequestTooLarge: ({ request, bytes, most }: OfRequest & { readonly bytes: number; readonly most: number }) =>
    `${request} has ${bytes} bytes; the limit is ${most}.`,
  RequestUnknown: ({ request }: OfRequest) => `There is no request named ${request}.`,
  RunAsksElsewhere: ({ run, gate, asked }: OfRun & { readonly gate: string; readonly asked: string }) =>
    `Run ${run} does not wait at gate ${gate}. It waits at ${asked}`,
  RunAsksNothing: ({ run }: OfRun) => `Run ${run} does not wait for an answer.`,
  RunnerNamespaceUnknown: () =>
    'The namespace of the runner is unknown. Give --namespace, or start the runner as a pod.',
  SecretNotOneLine: ({ file }: { readonly file: string }) =>
    `${file === '-' ? 'Standard input' : file} must contain one line with the secret and nothing else.`,
  SecretNotTyped: () => 'Nothing was typed, so nothing changed.',
  WindowOrClusterNeeded: () => 'Name either a window or --cluster CLUSTER with its nodes.',
} satisfies TextsOf<string>

const MOST_NAMED = 5
