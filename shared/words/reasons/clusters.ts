import type { Finding, OfCluster, OfPath, TextsOf } from '../steps/coded.ts'

/** `fault`: what is wrong with it, a clause without a full stop. */
type OfFault = OfPath & { readonly fault: Finding }

/** Texts of clusters, their files and credentials. */
export const CLUSTERS_REASONS = {
  CatalogueChanged: ({ cluster }: OfCluster) =>
    `The catalogue of ${cluster} is no longer the one that was shown. Look at it again before you agree.`,
  CephWithoutJuju: ({ cluster }: OfCluster) =>
    `Ceph of ${cluster} cannot be asked: its settings name no Juju controller.`,
  ClusterNameTaken: ({ cluster, context }: OfCluster & { readonly context: string }) =>
    `A cluster named ${cluster} is registered already (context ${context}). Choose another name, or remove it first with \`lockkeeper cluster remove ${cluster}\`.`,
  ClusterSettingUnusable: ({
    cluster,
    setting,
    problem,
  }: OfCluster & { readonly setting: string; readonly problem: string }) =>
    `Cluster ${cluster} cannot be kept like this: ${setting}: ${problem}.`,
  ClusterUnknown: ({ cluster, known }: OfCluster & { readonly known: readonly string[] }) =>
    known.length === 0
      ? `There is no cluster named ${cluster}: none is registered yet. Add it with \`lockkeeper cluster add\`.`
      : `There is no cluster named ${cluster}. Registered are: ${known.join(', ')}.`,
  CommandChanged: ({ of }: { readonly of: string }) =>
    `The command in the kubeconfig of ${of} is no longer the one that was shown. Look at it again before you agree.`,
  ControllersWithoutCloud: ({ cluster }: OfCluster) =>
    `${cluster} has no OpenStack cloud, so this console cannot answer for OpenStack: nobody would look for instances before a node is released. Name its cloud, or let openstack be answered by the cluster or by nobody (--controller openstack=cluster, openstack=none).`,
  DataDirectoryUnusable: ({ path, fault }: OfFault) =>
    `Cannot use ${path} as data directory: ${fault.message}. Give another one with --data-dir or LOCKKEEPER_DATA_DIR.`,
  KeychainLocked: () =>
    'The keychain of this desktop does not take it now, so nothing was kept. Unlock it and try again.',
  LockFileDamaged: ({ path }: OfPath) =>
    `The lock file ${path} is damaged. Nothing was changed; it holds no data, remove it and try again.`,
  LockFileHeld: ({ path, seconds }: OfPath & { readonly seconds: number }) =>
    `Another Lockkeeper has held ${path} for more than ${seconds} seconds. Nothing was changed; try again.`,
  LockFileNotOpened: ({ path, fault }: OfFault) =>
    `Cannot open the lock file ${path}: ${fault.message}. Nothing was changed.`,
  OwnFileNotRegular: ({ path }: OfPath) => `Cannot read ${path}: it is no regular file.`,
  OwnFileNotWritten: ({ path, fault }: OfFault) =>
    `Cannot write ${path}: ${fault.message}. Its former content is still there.`,
  OwnFolderNotMade: ({ path, fault }: OfFault) => `Cannot make ${path}: ${fault.message}.`,
  SecretFilesNameUnusable: ({ name }: { readonly name: string }) => `"${name}" cannot be the name of a cloud.`,
  SecretFilesNotKept: ({ path, fault }: OfFault) => `The files of a cloud cannot be kept in ${path}: ${fault.message}.`,
  SecretNotKept: ({ part, cluster }: OfCluster & { readonly part: string }) =>
    `The secret of ${part} of ${cluster} is not kept on this console. Set it again.`,
  SecretSealed: ({ part, cluster }: OfCluster & { readonly part: string }) =>
    `The secret of ${part} of ${cluster} was sealed by the keychain of the desktop app, and this face cannot open it. Set it again here.`,
  StoredListEmpty: ({ path }: OfPath) => damaged(path, 'it is empty'),
  StoredListNewer: ({ path, format, known }: OfPath & { readonly format: number; readonly known: number }) =>
    `${path} was written by a newer Lockkeeper (format ${format}; this one knows ${known}). It is left as it is: use the newer Lockkeeper, or another data directory.`,
  StoredListNotJson: ({ path, line, column }: OfPath & { readonly line: number; readonly column: number }) =>
    damaged(path, `it is not JSON from line ${line}, column ${column} on`),
  StoredListRepeats: ({ path, item }: OfPath & { readonly item: string }) => damaged(path, `${item} is in it twice`),
  StoredListStrange: ({ path, at, problem }: OfPath & { readonly at: string; readonly problem: string | null }) =>
    damaged(path, `at ${at || 'its beginning'}: ${problem ?? 'not as expected'}`),
  StoredListWithoutFormat: ({ path }: OfPath) => damaged(path, 'it has no format number'),
} satisfies TextsOf<string>

function damaged(path: string, what: string): string {
  return `${path} is damaged: ${what}. It is left as it is: correct it there, or move it away to begin with an empty one.`
}
