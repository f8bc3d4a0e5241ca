import { z } from 'zod'
import type { Project } from '../../../shared/domain/openstack.ts'
import { ok, type Result } from '../../../shared/domain/result.ts'
import type { OpenStackSession } from './keystone-session.ts'
import { listAll } from './pages.ts'

const KeystoneProject = z.object({ id: z.string().min(1), name: z.string() })

/**
 * Every project of the cloud with its name (Keystone API v3, GET /v3/projects). By default only administrators may
 * list them (identity:list_projects).
 */
export async function listProjects(
  session: OpenStackSession,
  signal?: AbortSignal,
): Promise<Result<readonly Project[]>> {
  const read = await listAll(session, 'identity', {
    collection: 'projects',
    item: KeystoneProject,
    idOf: project => project.id,
    request: { path: '/projects', doing: 'list the projects', signal },
  })
  return read.ok ? ok(read.value.map(({ id, name }) => ({ id, name }))) : read
}
