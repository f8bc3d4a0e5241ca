import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { describe, expect, test, vi } from 'vitest'
import { LAB_KUBECONFIG, LAB_VIEWER_KUBECONFIG } from './lab-places.ts'
import { openstackClient } from './openstack-client.ts'

const run = promisify(execFile)

async function kubectl(kubeconfig: string, ...args: readonly string[]): Promise<string> {
  const { stdout } = await run('kubectl', ['--kubeconfig', kubeconfig, ...args])
  return stdout
}

describe('the lab is what the other lab tests take it for:', () => {
  test('Kubernetes has ten nodes that are Ready, and budgets only as policy/v1beta1', async () => {
    const ready = async () => {
      const nodes = (await kubectl(LAB_KUBECONFIG, 'get', 'nodes', '--no-headers')).trim().split('\n')
      return nodes.filter(line => /\sReady[\s,]/.test(line))
    }
    // A hollow kubelet that was lost is started again within a minute.
    await vi.waitFor(async () => expect(await ready()).toHaveLength(10), { timeout: 90_000, interval: 1_000 })
    const versions = (await kubectl(LAB_KUBECONFIG, 'api-versions')).trim().split('\n')
    expect(versions.filter(version => version.startsWith('policy/'))).toEqual(['policy/v1beta1'])
  })

  test('its viewer may do nothing', async () => {
    await expect(kubectl(LAB_VIEWER_KUBECONFIG, 'get', 'nodes')).rejects.toThrow(/forbidden/)
  })

  test('Nova has four computes in two zones, and the plain user may not list them', async () => {
    const listed = await openstackClient('lab', 'compute', 'service', 'list', '--service', 'nova-compute', '-f', 'json')
    const services = JSON.parse(listed) as readonly { readonly Host: string; readonly Zone: string }[]
    expect(services.map(service => service.Host).sort()).toEqual(['cmp-1', 'cmp-2', 'cmp-3', 'cmp-4'])
    expect(new Set(services.map(service => service.Zone)).size).toBe(2)
    await expect(openstackClient('lab-demo', 'compute', 'service', 'list')).rejects.toThrow(/403|[Pp]olicy/)
  })
})
