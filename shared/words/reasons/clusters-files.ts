import { listed } from '../../grammar/counts.ts'
import type { OfPath, TextsOf } from '../steps/coded.ts'

type OfCloud = { readonly cloud: string; readonly file: string }

type OfKey = OfCloud & { readonly key: string }

/** The kubeconfig files that are merged, and the contexts in them. */
type Contexts = { readonly files: readonly string[]; readonly contexts: readonly string[] }

/** A cloud that lacks one of these keys. `secureFile` null: no secure.yaml exists. */
type Lacks = OfCloud & { readonly keys: readonly string[]; readonly secureFile: string | null }

export const CLUSTERS_FILES_REASONS = {
  CloudAuthTypeUnknown: ({ cloud, file, type }: OfCloud & { readonly type: string }) =>
    `Cloud ${cloud} in ${file} has the auth_type ${type}, which Lockkeeper does not know. Known are: password, v3password, v3applicationcredential, token, v3token. Where people log in by a browser or with a second factor, make an application credential and put that there.`,
  CloudAuthUrlUnusable: ({ cloud, file }: OfCloud) =>
    `Cloud ${cloud} in ${file}: auth_url must be an address that begins with http:// or https://. Correct it there.`,
  CloudFileAbsent: ({ path, ...key }: OfKey & OfPath) =>
    `${keyWords(key)} names ${path}, which does not exist. Correct it there.`,
  CloudFileHasContents: (key: OfKey) =>
    `${keyWords(key)} must be the path of a file, not its contents. Correct it there.`,
  CloudInterfaceUnknown: (key: OfKey) => `${keyWords(key)} must be public, internal or admin. Correct it there.`,
  CloudLacks: (lacks: Lacks) => lacksWords(lacks, lacks.keys.join(' or ')),
  CloudLacksUserOfCredential: (lacks: Lacks) =>
    lacksWords(lacks, `${lacks.keys.join(' or ')}, which an application credential given by name needs`),
  CloudNoSettings: ({ cloud, file }: OfCloud) =>
    `Cloud ${cloud} in ${file} is not a mapping of settings. Correct it there.`,
  CloudNotInFile: ({ cloud, file, clouds }: OfCloud & { readonly clouds: readonly string[] }) =>
    `${file} has no cloud named ${cloud}. ${clouds.length === 0 ? 'It has no clouds.' : `Clouds there: ${clouds.join(', ')}.`}`,
  CloudProfileUnknown: (profile: Profile) =>
    `Cloud ${profile.cloud} in ${profile.file} uses the profile ${profile.profile}, ${profileWords(profile)} Lockkeeper does not know the profiles of openstacksdk: write its auth_url and regions into clouds.yaml.`,
  CloudScopeUnusable: ({ cloud, file, fault }: OfCloud & { readonly fault: 'trust-and-other' | 'system-not-all' }) =>
    fault === 'trust-and-other'
      ? `Cloud ${cloud} in ${file} has a trust_id and also a project or a domain. A login uses only one of them: remove the others.`
      : `Cloud ${cloud} in ${file} has a system_scope other than all. Write all, or name a project.`,
  CloudVerifyUnknown: (key: OfKey) =>
    `${keyWords(key)} must be true or false, or the path of a CA file. Correct it there.`,
  CloudValueNotText: ({ secureFile, ...key }: OfKey & { readonly secureFile: string | null }) =>
    `${keyWords(key)} is a list or a mapping instead of text, like a template without its values. Write the value there${secureFile === null ? '' : ` or in ${secureFile}`}, in quotes.`,
  CloudsFileNotFound: ({ looked }: { readonly looked: readonly string[] }) =>
    `Found no clouds.yaml at ${looked.join(', ')}. Give its path.`,
  CloudsFileWithoutClouds: ({ path }: OfPath) =>
    `${path} is unusable: it is not a mapping with a key \`clouds\`. Correct it there.`,
  ContextHasNoServer: (context: {
    readonly context: string
    readonly file: string
    readonly kubernetesCluster: string
  }) =>
    `Context ${context.context} in ${context.file} uses cluster ${context.kubernetesCluster}, which has no usable server address. Correct it there.`,
  ContextNotCurrent: (kubeconfig: Contexts) =>
    kubeconfig.contexts.length === 0
      ? `${listed(kubeconfig.files)} ${kubeconfig.files.length === 1 ? 'names' : 'name'} no context of Kubernetes. Give the path of a kubeconfig.`
      : `${listed(kubeconfig.files)} ${has(kubeconfig.files)} no current context. Name one. ${offerWords(kubeconfig)}`,
  ContextUnknown: ({ context, ...kubeconfig }: Contexts & { readonly context: string }) =>
    `${listed(kubeconfig.files)} ${has(kubeconfig.files)} no context named ${context}. ${offerWords(kubeconfig)}`,
  FileNamesNoCluster: ({ path }: OfPath) => `${path} names neither Kubernetes contexts nor OpenStack clouds.`,
  KubeconfigAbsent: ({ path }: OfPath) => `No kubeconfig exists at ${path}. Give the right path.`,
  KubeconfigNotFound: ({ looked }: { readonly looked: readonly string[] }) =>
    `Found no kubeconfig at ${looked.join(', ')}. Give its path, or set KUBECONFIG.`,
} satisfies TextsOf<string>

/** A profile that a cloud uses, and the file that should have it; `profiles` null: no such file. */
type Profile = OfCloud & {
  readonly profile: string
  readonly profilesFile: string | null
  readonly profiles: readonly string[] | null
}

function profileWords({ profilesFile, profiles }: Profile): string {
  if (profilesFile === null) return 'and no clouds-public.yaml is beside it.'
  return `which ${profilesFile} does not define.${profiles === null ? '' : ` It has: ${profiles.join(', ')}.`}`
}

function keyWords({ cloud, file, key }: OfKey): string {
  return `Cloud ${cloud} in ${file}: ${key}`
}

function lacksWords({ cloud, file, secureFile }: Lacks, what: string): string {
  return secureFile === null
    ? `Cloud ${cloud} has no ${what} in ${file}. Add it there or to a secure.yaml beside it.`
    : `Cloud ${cloud} has no ${what} in ${file} or ${secureFile}. Add it there.`
}

function has(files: readonly string[]): string {
  return files.length === 1 ? 'has' : 'have'
}

function offerWords({ contexts }: Contexts): string {
  return contexts.length === 0 ? 'It has no contexts.' : `Contexts there: ${contexts.join(', ')}.`
}
