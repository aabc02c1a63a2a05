import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readConfig } from '../../src/config.ts'
import {
  faultsOf,
  KUBERNETES_FILES,
  type Manifest,
  podOf,
  readManifests,
} from '../support/documents/manifests.ts'

const [kustomization] = readManifests('kustomization.yaml')
const files = KUBERNETES_FILES.filter((file) => file !== 'kustomization.yaml')
const objects = files.flatMap(readManifests)
const named = (kind: string) => objects.filter((object) => object.kind === kind)
const deployments = named('Deployment')
const workloads = objects.flatMap((object) => {
  const pod = podOf(object)
  return pod ? [{ object, pod, container: pod.spec.containers[0] }] : []
})

describe('the Kubernetes manifests', () => {
  it('are all applied, but for the example of a Secret', () => {
    const applied = [...kustomization.resources, 'secret.example.yaml']
    assert.deepEqual(applied.toSorted(), files)
  })

  for (const object of objects) {
    it(`${object.kind} ${object.metadata.name} has the shape that its schema gives`, async () => {
      assert.deepEqual(await faultsOf(object), [])
    })
  }

  it('would not pass with a name, a type or a value that is wrong, or without what is needed', async () => {
    const wrong = structuredClone(deployments[0])
    const [container] = wrong.spec.template.spec.containers
    container.readynessProbe = {}
    container.ports[0].containerPort = 'http'
    delete container.name
    assert.deepEqual(await faultsOf(wrong), [
      '/spec/template/spec/containers/0 required',
      '/spec/template/spec/containers/0/ports/0/containerPort type',
      '/spec/template/spec/containers/0/readynessProbe unknown',
    ])
  })

  it('run every role, what must not stop twice, and one process for each region', () => {
    const found = deployments.map(({ metadata, spec }) => [metadata.name, spec.replicas])
    assert.deepEqual(Object.fromEntries(found), {
      api: 2,
      scheduler: 2,
      alerts: 2,
      'probe-lon': 1,
      'probe-nyc': 1,
    })
  })

  it('give each process settings that it takes', () => {
    const shared = { ...named('ConfigMap')[0].data, ...named('Secret')[0].stringData }
    const configs = deployments.map((object) => {
      const { env } = podOf(object).spec.containers[0]
      const own = env.map(({ name, value }: Manifest) => [name, value])
      return readConfig({ ...shared, ...Object.fromEntries(own) })
    })
    assert.deepEqual(configs.map(({ roles, region }) => [[...roles].join(), region]).toSorted(), [
      ['alerts', null],
      ['api', null],
      ['probe', 'lon'],
      ['probe', 'nyc'],
      ['scheduler', null],
    ])
  })

  it('keep pods to what the restricted standard allows', () => {
    for (const { object, pod, container } of workloads) {
      const about = object.metadata.name
      const { runAsNonRoot, runAsUser, seccompProfile, sysctls = [] } = pod.spec.securityContext
      assert.deepEqual(
        [runAsNonRoot, runAsUser, seccompProfile.type],
        [true, 10_001, 'RuntimeDefault'],
        about,
      )
      assert.deepEqual(
        container.securityContext,
        { allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: { drop: ['ALL'] } },
        about,
      )
      const safe = sysctls.every(({ name }: Manifest) => name === 'net.ipv4.ping_group_range')
      assert.ok(safe && pod.spec.automountServiceAccountToken === false, about)
      assert.ok(container.resources.requests.memory && container.resources.limits.memory, about)
    }
  })

  it('let every pod be found: by its Deployment, its budget and the Service', () => {
    const selects = (selector: Record<string, string>, pod: Manifest) =>
      Object.entries(selector).every(([key, value]) => pod.metadata.labels[key] === value)
    for (const object of deployments) {
      const pod = podOf(object)
      const owners = deployments.filter(({ spec }) => selects(spec.selector.matchLabels, pod))
      const budgets = named('PodDisruptionBudget').filter(({ spec }) =>
        selects(spec.selector.matchLabels, pod),
      )
      const services = named('Service').filter(({ spec }) => selects(spec.selector, pod))
      const isApi = object.metadata.name === 'api'
      const found = [owners.length, budgets.length, services.length]
      assert.deepEqual(found, [1, 1, isApi ? 1 : 0], object.metadata.name)
    }
    const [{ spec }] = named('Ingress')
    const { name, port } = spec.rules[0].http.paths[0].backend.service
    const [service] = named('Service')
    assert.deepEqual([name, port.name], [service.metadata.name, service.spec.ports[0].name])
  })

  it('restart a process that stands still, and none because its database is away', () => {
    for (const object of deployments) {
      const { startupProbe, readinessProbe, livenessProbe, ports } = podOf(object).spec.containers[0]
      const paths = [startupProbe, readinessProbe, livenessProbe].map(({ httpGet }) => httpGet.path)
      assert.deepEqual(paths, ['/health/live', '/health', '/health/live'])
      assert.deepEqual(ports, [{ name: 'http', containerPort: 3_000 }])
    }
  })
})
