import type { AccessAttributes, FaultTable } from '../faults.ts'
import { type ApiStatus, forbidden } from '../store/api-status.ts'
import { type Json, type JsonObject, recordAt, textAt } from '../store/json.ts'
import type { ResourcePath } from './resource-path.ts'

/** The user with all rights. */
export const ADMIN = 'demo-admin'
/** A user who may only ask what it may do, as the lab's `viewer`. */
export const VIEWER = 'viewer'

/** Whether a user may do something: the administrator anything that no fault denies, the viewer nothing. */
export function isAllowed(table: FaultTable, attributes: AccessAttributes): boolean {
  const review = attributes.group === 'authorization.k8s.io' || attributes.group === 'authentication.k8s.io'
  return (attributes.user === ADMIN || review) && !table.denies(attributes)
}

/** Returns the RBAC verb of a request. */
export function verbOf(method: string, path: ResourcePath, isWatch: boolean): string {
  switch (method) {
    case 'POST':
      return 'create'
    case 'PUT':
      return 'update'
    case 'PATCH':
      return 'patch'
    case 'DELETE':
      return path.name === null ? 'deletecollection' : 'delete'
    default:
      return isWatch ? 'watch' : path.name === null ? 'list' : 'get'
  }
}

/** Returns the RBAC name of a resource: `pods`, `pods/eviction`. */
export function accessResource(path: ResourcePath): string {
  return path.subresource === null ? path.plural : `${path.plural}/${path.subresource}`
}

/** Returns the 403 of a denied request, in the server's words. */
export function accessRefusal(path: ResourcePath, attributes: AccessAttributes): ApiStatus {
  const where = path.namespace === null ? 'at the cluster scope' : `in the namespace "${path.namespace}"`
  const why = `User "${attributes.user}" cannot ${attributes.verb} resource "${attributes.resource}" in API group "${path.group}" ${where}`
  return forbidden(path, path.name ?? undefined, why)
}

/** Answers access reviews of a user about itself. */
export function answerReview(table: FaultTable, user: string, kind: string, review: JsonObject): JsonObject {
  switch (kind) {
    case 'SelfSubjectAccessReview': {
      const asked = recordAt(review, 'spec', 'resourceAttributes')
      const subresource = textAt(asked, 'subresource') ?? ''
      const resource = textAt(asked, 'resource') ?? ''
      const allowed =
        Object.keys(asked).length === 0
          ? true
          : isAllowed(table, {
              user,
              verb: textAt(asked, 'verb') ?? '',
              group: textAt(asked, 'group') ?? '',
              resource: subresource === '' ? resource : `${resource}/${subresource}`,
              namespace: textAt(asked, 'namespace') ?? null,
            })
      return { ...review, status: { allowed, ...(allowed ? {} : { reason: '' }) } }
    }
    case 'SelfSubjectRulesReview':
      return { ...review, status: { ...rulesOf(user), incomplete: table.deniesAnything() } }
    default:
      return { ...review, status: { userInfo: { username: user, groups: groupsOf(user) } } }
  }
}

function rulesOf(user: string): JsonObject {
  const reviews: Json = {
    verbs: ['create'],
    apiGroups: ['authorization.k8s.io'],
    resources: ['selfsubjectaccessreviews', 'selfsubjectrulesreviews'],
  }
  const everything: Json = { verbs: ['*'], apiGroups: ['*'], resources: ['*'] }
  return {
    resourceRules: user === ADMIN ? [everything, reviews] : [reviews],
    nonResourceRules:
      user === ADMIN
        ? [{ verbs: ['*'], nonResourceURLs: ['*'] }]
        : [{ verbs: ['get'], nonResourceURLs: ['/api', '/api/*', '/apis', '/apis/*', '/readyz', '/version'] }],
  }
}

function groupsOf(user: string): readonly string[] {
  return user === ADMIN ? ['system:masters', 'system:authenticated'] : ['system:authenticated']
}
