import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { LAB_OPENSTACK } from './lab-places.ts'

const run = promisify(execFile)

/** What the `openstack` client that belongs to the lab's cloud says, as one of the clouds of clouds.yaml: the referee of every test here. */
export async function openstackClient(cloud: string, ...args: readonly string[]): Promise<string> {
  const env = {
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    LOCKKEEPER_LAB_OPENSTACK: LAB_OPENSTACK,
    OSLAB_CLOUD: cloud,
  }
  const { stdout } = await run(join(import.meta.dirname, 'openstack', 'openstack.sh'), args, { env })
  return stdout
}
