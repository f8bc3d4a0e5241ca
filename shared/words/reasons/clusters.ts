import type { Finding, OfCluster, OfPath, TextsOf } from '../steps/coded.ts'

/** `fault`: the problem, a clause without a full stop. */
type OfFault = OfPath & { readonly fault: Finding }

export const CLUSTERS_REASONS = {
  CatalogueChanged: ({ cluster }: OfCluster) =>
    `The catalogue of ${cluster} changed since it was shown. Check it again before you agree.`,
  CephWithoutJuju: ({ cluster }: OfCluster) =>
    `Lockkeeper cannot ask Ceph of ${cluster}: its settings name no Juju controller.`,
  ClusterNameTaken: ({ cluster, context }: OfCluster & { readonly context: string }) =>
    `Cloud ${cluster} already exists (context ${context}). Choose another name, or remove it first with \`lockkeeper cluster remove ${cluster}\`.`,
  ClusterSettingUnusable: ({
    cluster,
    setting,
    problem,
  }: OfCluster & { readonly setting: string; readonly problem: string }) =>
    `These settings of cloud ${cluster} are invalid: ${setting}: ${problem}.`,
  ClusterUnknown: ({ cluster, known }: OfCluster & { readonly known: readonly string[] }) =>
    known.length === 0
      ? `Cloud ${cluster} does not exist, and no other is registered yet. Add it with \`lockkeeper cluster add\`.`
      : `Cloud ${cluster} does not exist. Registered are: ${known.join(', ')}.`,
  CommandChanged: ({ of }: { readonly of: string }) =>
    `The command in the kubeconfig of ${of} changed since it was shown. Check it again before you agree.`,
  ControllersWithoutCloud: ({ cluster }: OfCluster) =>
    `${cluster} has no OpenStack credentials, so this console cannot answer for OpenStack: it could not look for instances before it releases a node. Give the credentials, or set another controller (--controller openstack=cluster, openstack=none).`,
  DataDirectoryUnusable: ({ path, fault }: OfFault) =>
    `Cannot use ${path} as data directory: ${fault.message}. Give another one with --data-dir or LOCKKEEPER_DATA_DIR.`,
  KeychainLocked: () =>
    'The keychain of this desktop did not accept the secret, so nothing was stored. Unlock it and try again.',
  LockFileDamaged: ({ path }: OfPath) =>
    `The lock file ${path} is damaged. Nothing was changed. It contains no data: remove it and try again.`,
  LockFileHeld: ({ path, seconds }: OfPath & { readonly seconds: number }) =>
    `Another Lockkeeper has held ${path} for more than ${seconds} seconds. Nothing was changed; try again.`,
  LockFileNotOpened: ({ path, fault }: OfFault) =>
    `Cannot open the lock file ${path}: ${fault.message}. Nothing was changed.`,
  OwnFileNotRegular: ({ path }: OfPath) => `Cannot read ${path}: it is not a regular file.`,
  OwnFileNotWritten: ({ path, fault }: OfFault) =>
    `Cannot write ${path}: ${fault.message}. Its earlier content is unchanged.`,
  OwnFolderNotMade: ({ path, fault }: OfFault) => `Cannot make ${path}: ${fault.message}.`,
  SecretFilesNameUnusable: ({ name }: { readonly name: string }) => `"${name}" is not a valid name of a cloud.`,
  SecretFilesNotKept: ({ path, fault }: OfFault) => `Cannot store the files of a cloud in ${path}: ${fault.message}.`,
  SecretNotKept: ({ part, cluster }: OfCluster & { readonly part: string }) =>
    `This console does not have the secret of ${part} of ${cluster}. Set it again.`,
  SecretSealed: ({ part, cluster }: OfCluster & { readonly part: string }) =>
    `The keychain of the desktop app sealed the secret of ${part} of ${cluster}, and this face cannot open it. Set it again here.`,
  StoredListEmpty: ({ path }: OfPath) => damaged(path, 'it is empty'),
  StoredListNewer: ({ path, format, known }: OfPath & { readonly format: number; readonly known: number }) =>
    `A newer Lockkeeper wrote ${path} (format ${format}; this one knows ${known}). The file is unchanged: use the newer Lockkeeper, or another data directory.`,
  StoredListNotJson: ({ path, line, column }: OfPath & { readonly line: number; readonly column: number }) =>
    damaged(path, `it is not JSON from line ${line}, column ${column} on`),
  StoredListRepeats: ({ path, item }: OfPath & { readonly item: string }) => damaged(path, `${item} is in it twice`),
  StoredListStrange: ({ path, at, problem }: OfPath & { readonly at: string; readonly problem: string | null }) =>
    damaged(path, `at ${at || 'its beginning'}: ${problem ?? 'unexpected content'}`),
  StoredListWithoutFormat: ({ path }: OfPath) => damaged(path, 'it has no format number'),
} satisfies TextsOf<string>

function damaged(path: string, what: string): string {
  return `${path} is damaged: ${what}. The file is unchanged: correct it, or move it away to start with an empty one.`
}
