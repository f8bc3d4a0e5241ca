import { describe, expect, it } from 'vitest'
import { jobForNode, jobName, readJobManifest } from '../../../../main/procedures/steps/rolling/job-manifest.ts'
import { must } from '../../../../shared/domain/must.ts'

const JOB = `
apiVersion: batch/v1
kind: Job
metadata:
  generateName: agent-
  labels: { app: agent }
spec:
  backoffLimit: 0
  template:
    spec:
      tolerations: [{ operator: Exists, key: gpu }]
      containers: [{ name: agent, args: [--node, $(NODE_NAME), --url=https://lcm/$(NODE_NAME)] }]
`

function read(text: string) {
  const manifest = readJobManifest(text)
  return must(manifest.ok ? manifest.value : null, 'the manifest is a Job')
}

function refusal(text: string): string {
  const manifest = readJobManifest(text)
  return manifest.ok ? '' : manifest.failure.message
}

const PLACE = { name: 'lockkeeper-r1-cmp-1-x', namespace: 'ops', node: 'cmp-1', annotations: { run: 'r1' } }

describe('the Job of the work on a node', () => {
  it('runs on the node although the node is cordoned, and keeps what the operator tolerates besides', () => {
    expect(jobForNode(read(JOB), PLACE)).toMatchObject({
      apiVersion: 'batch/v1',
      kind: 'Job',
      metadata: { name: PLACE.name, namespace: 'ops', labels: { app: 'agent' }, annotations: { run: 'r1' } },
      spec: {
        backoffLimit: 0,
        template: {
          spec: {
            nodeName: 'cmp-1',
            tolerations: [
              { operator: 'Exists', key: 'gpu' },
              { key: 'node.kubernetes.io/unschedulable', operator: 'Exists', effect: 'NoSchedule' },
            ],
          },
        },
      },
    })
  })

  it('has the node in every place of $(NODE_NAME)', () => {
    expect(JSON.stringify(jobForNode(read(JOB), PLACE))).toContain('["--node","cmp-1","--url=https://lcm/cmp-1"]')
  })

  it('has one name, not a generated one, so that it is found again after a restart', () => {
    expect(jobForNode(read(JOB), PLACE).metadata).not.toHaveProperty('generateName')
    expect(jobName('r1', 'cmp-1', 1)).toBe(jobName('r1', 'cmp-1', 1))
    expect(jobName('r1', 'cmp-1', 2)).not.toBe(jobName('r1', 'cmp-1', 1))
  })

  it.each(['cmp-1', 'rack-12-compute-0001.region-one.cloud.example.com', 'UPPER.case'])(
    'has a name that is a label as well: %s',
    node => {
      expect(jobName('0123456789', node, 20)).toMatch(/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/)
    },
  )

  it('is another one for nodes whose long names begin alike', () => {
    const long = 'rack-12-compute-0001-of-region'
    expect(jobName('r1', `${long}-one`, 1)).not.toBe(jobName('r1', `${long}-two`, 1))
  })

  it('may be given as JSON', () => {
    expect(
      read(JSON.stringify({ apiVersion: 'batch/v1', kind: 'Job', spec: { template: { spec: {} } } })).metadata,
    ).toEqual({})
  })

  it.each([
    ['', 'it is empty'],
    ['[1]', 'it is not an object'],
    ['kind: CronJob\napiVersion: batch/v1', 'it is CronJob of batch/v1'],
    ['kind: Job\napiVersion: batch/v1', 'its spec has no template.spec'],
    [`${JOB}---${JOB}`, 'it contains several documents'],
    ['kind: [', 'it is not YAML'],
  ])('is refused in words: %j', (text, why) => {
    expect(refusal(text)).toContain(why)
  })
})
