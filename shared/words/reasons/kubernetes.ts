import type { Cause, Finding, OfCall, OfServer, TextsOf } from '../steps/coded.ts'

/** A refusal; `cause`: the words of the API server; empty if there is none. */
type Refused = OfCall & Cause

/** The response instead of an answer; `contentType`: empty if the server named none. */
type Came = { readonly contentType: string; readonly output: string }

/** A request, as an API server parses it; `resource`: the bare path if the request is about no resource. */
type Request = {
  readonly verb: string
  readonly resource: string
  readonly namespace: string | null
  readonly name: string | null
}

/** Failures of the Kubernetes API. */
export const KUBERNETES_REASONS = {
  KubernetesRequestRefused: ({ call, cause }: Refused) =>
    `The API server does not accept the request to ${call.message}${after(cause)}.`,
  KubernetesCredentialsRefused: ({ call }: OfCall) =>
    `The API server does not accept these credentials (request to ${call.message}). They may be expired: renew them or sign in again.`,
  CredentialsMayNot: ({ call, cause, remedy }: Refused & { readonly remedy: Finding }) =>
    `These credentials may not ${call.message}${after(cause)}. ${remedy.message}`,
  RunnerRoleLacking: ({ role, namespace }: { readonly role: string; readonly namespace: string | null }) =>
    `Ask for the Role ${role}${namespace === null ? '' : ` of namespace ${namespace}`} (docs/runner.md).`,
  RbacRoleLacking: ({ role }: { readonly role: string }) =>
    `Ask for the role in resources/rbac/${role}.yaml, or run \`lockkeeper cluster test\`.`,
  KubernetesObjectAbsent: ({ call, cause }: Refused) =>
    `Lockkeeper tried to ${call.message}, but it does not exist${after(cause)}.`,
  KubernetesConflict: ({ call, cause }: Refused) =>
    `Could not ${call.message}, it changed meanwhile or already exists${after(cause)}.`,
  KubernetesVersionGone: ({ call, cause }: Refused) =>
    `Could not ${call.message}: the version it refers to is too old${after(cause)}.`,
  ApiServerThrottles: ({ call, cause }: Refused) =>
    `The API server asks to wait before the request to ${call.message}${after(cause)}.`,
  ApiServerFailed: ({ call, cause, status }: Refused & { readonly status: number }) =>
    `The API server failed (HTTP ${status}) on the request to ${call.message}${after(cause)}.`,
  ApiServerAnsweredStatus: ({ call, cause, status }: Refused & { readonly status: number }) =>
    `The API server answered HTTP ${status} to the request to ${call.message}${after(cause)}.`,
  NotTheApiServers: ({ call, status, ...came }: OfCall & Came & { readonly status: number }) =>
    `The API server's address answered HTTP ${status} to the request to ${call.message}, but not as an API server does. It sent ${sketchOf(came)}. A proxy, a login page or another server may have answered instead: check the address manually, then try again.`,
  NotWhatWasAsked: ({
    call,
    status,
    why,
    ...came
  }: OfCall & Came & { readonly status: number; readonly why: Finding }) =>
    `The API server's address answered HTTP ${status} to the request to ${call.message}, but not with that: ${why.message}. It sent ${sketchOf(came)}. A login page, a proxy or another server may have answered instead: check the address manually, then try again.`,
  KubernetesAnswerOfPast: ({ call, why, changes }: OfCall & { readonly why: Finding; readonly changes: boolean }) =>
    `Lockkeeper tried to ${call.message}, but the answer from the API server's address is old: ${why.message}.${changes ? ' It may have been done: check before you try again.' : ''} Does a cache or a proxy store answers, or do the clocks of the API servers differ?`,
  AuditIdOfOther: ({ id }: { readonly id: string }) => `it answers another request, that of Audit-Id ${id}`,
  AuditIdDoubted: ({ id }: { readonly id: string }) =>
    `its Audit-Id ${id} is not that of this request, and appeared only once`,
  KubernetesStopped: ({ call }: OfCall) => `Stopped before an answer came to: ${call.message}.`,
  ApiServerSilent: ({ server, call }: OfServer & OfCall) =>
    `${server} did not answer in time to the request to ${call.message}. Check the network and the API server's load.`,
  ApiServerMakesNoSense: ({ server, call, wrong }: OfServer & OfCall & { readonly wrong: Finding }) =>
    `${server} answered the request to ${call.message}, but it ${wrong.message}. A proxy or another server may have answered instead: check the address manually.`,
  ApiServerNotReached: ({ server, call, fault }: OfServer & OfCall & { readonly fault: Finding }) =>
    `Could not ${call.message}: the API server at ${server} ${fault.message}`,
  ApiServerNotJson: ({ server, call }: OfServer & OfCall) =>
    `${server} did not answer in JSON to the request to ${call.message}. Is it an API server?`,
  KubeconfigAuthorityWrong: () => 'Check certificate-authority in the kubeconfig, or whether this is the right server.',
  KubeconfigServerNameWrong: () => 'Check the server address, or set tls-server-name in the kubeconfig.',
  KubeconfigCertificateUnusable: () => 'Fetch a new kubeconfig.',
  KubernetesKindNotServed: ({
    call,
    apiVersion,
    plural,
  }: OfCall & { readonly apiVersion: string; readonly plural: string }) =>
    `Lockkeeper tried to ${call.message}, but this cluster does not have the API ${apiVersion} with ${plural}.`,
} satisfies TextsOf<string>

/** Requests to the API server, in the infinitive. */
export const KUBERNETES_CALLS = {
  AskApiServer: ({ verb, resource, namespace, name }: Request) => {
    const object = [namespace, name].filter(part => part !== null).join('/')
    const where = name !== null ? ` ${object}` : namespace !== null ? ` in namespace ${namespace}` : ''
    return `${verb} ${resource}${where}`
  },
} satisfies TextsOf<string>

function after(cause: string): string {
  return cause === '' ? '' : `: ${cause}`
}

/** The type and the first words of an answer. */
function sketchOf({ contentType, output }: Came): string {
  const type = contentType === '' ? 'no content type' : contentType
  return output === '' ? `${type}, empty` : `${type}: "${output}"`
}
