import { failure } from '../../shared/domain/failure.ts'
import { failed, type Result } from '../../shared/domain/result.ts'
import type { JujuAccess } from '../../shared/domain/role-maintenance.ts'
import type { ResolvedJuju } from '../juju/resolved-juju.ts'
import type { Surroundings } from './surroundings.ts'

/** The controller that a cluster's settings name, from the Juju client's files or as typed in; read at every session start. */
export async function resolveJuju(access: JujuAccess, _surroundings: Surroundings): Promise<Result<ResolvedJuju>> {
  return failed(failure('not-found', `Juju's files cannot be read yet (${access.kind}).`))
}
