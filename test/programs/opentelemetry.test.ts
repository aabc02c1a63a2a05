import assert from 'node:assert/strict'
import { totalmem } from 'node:os'
import { test } from 'node:test'
import { reportingServer } from '../support/inputs/reporting-server.ts'
import { requireGlobal } from '../support/programs.ts'

/** As far as they are used here. */
type Exporter = object
type Provider = { forceFlush(): Promise<void>; shutdown(): Promise<void> }
type Sdk = {
  MeterProvider: new (settings: { resource: object; readers: object[] }) => Provider
  PeriodicExportingMetricReader: new (settings: {
    exporter: Exporter
    exportIntervalMillis: number
  }) => object
}
type Exporters = { OTLPMetricExporter: new (settings: { url: string; compression?: string }) => Exporter }
type HostMetrics = { HostMetrics: new (settings: { meterProvider: Provider }) => { start(): void } }
type Resources = { resourceFromAttributes(attributes: Record<string, string>): object }

// Installed by `npm install --global`, each at the version that stands with it.
const PACKAGES = {
  sdk: '@opentelemetry/sdk-metrics', // 3.1.1
  resources: '@opentelemetry/resources', // 3.1.1
  hostMetrics: '@opentelemetry/host-metrics', // 0.39.0
} as const

for (const [encoding, name] of [
  ['protobuf', '@opentelemetry/exporter-metrics-otlp-proto'], // 0.301.0
  ['JSON', '@opentelemetry/exporter-metrics-otlp-http'], // 0.301.0
] as const) {
  test(`OpenTelemetry's SDK sends host metrics in ${encoding}`, async (context) => {
    const { address, reported } = await reportingServer(context)
    const { MeterProvider, PeriodicExportingMetricReader } = requireGlobal(PACKAGES.sdk) as Sdk
    const { OTLPMetricExporter } = requireGlobal(name) as Exporters
    const { resourceFromAttributes } = requireGlobal(PACKAGES.resources) as Resources
    const { HostMetrics } = requireGlobal(PACKAGES.hostMetrics) as HostMetrics
    const exporter = new OTLPMetricExporter({ url: `${address}/v1/metrics`, compression: 'gzip' })
    const meterProvider = new MeterProvider({
      resource: resourceFromAttributes({ 'host.name': 'web-1' }),
      readers: [new PeriodicExportingMetricReader({ exporter, exportIntervalMillis: 60_000 })],
    })
    context.after(() => meterProvider.shutdown())
    new HostMetrics({ meterProvider }).start()

    // It fails where an answer is not what the protocol wants.
    await meterProvider.forceFlush()
    const first = await reported('memory_available_bytes')
    assert.equal(first.machine.source, 'opentelemetry')
    assert.equal(first.machine.host_name, 'web-1')
    assert.ok(Math.abs((first.latest.memory_total_bytes ?? 0) - totalmem()) < 1e6)
    await meterProvider.forceFlush()
    const { latest } = await reported('cpu_percent', 'cpu_user_percent')
    assert.ok((latest.cpu_percent ?? -1) >= 0 && (latest.cpu_percent ?? 101) <= 100)
  })
}
