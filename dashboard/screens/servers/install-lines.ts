import { t } from '../../language/language.ts'

/** How a machine begins to report: by the agent, or by what runs there already. */
export const INSTALL_WAYS = [
  'curl',
  'wget',
  'steps',
  'windows',
  'opentelemetry',
  'telegraf',
  'prometheus',
] as const
export type InstallWay = (typeof INSTALL_WAYS)[number]

/** A way to install: what to copy, each with a sentence before it. */
export type InstallText = {
  label: string
  lines: { says: string; copy: string; label: string }[]
  uninstall: string | null
}

const SCRIPT = 'upbeat-install.sh'
const WINDOWS_SCRIPT = 'upbeat-install.ps1'
const POWERSHELL = 'powershell -ExecutionPolicy Bypass -File'

/** The lines that the dialog shows for the secret address of a server. */
export function installTexts(address: string, sha256: string): Record<InstallWay, InstallText> {
  const script = `${address}/install`
  return {
    curl: {
      label: 'curl',
      lines: [
        {
          says: t('Run this on the machine, as root where you can:'),
          copy: `curl -fsSL ${script} | sh`,
          label: t('install line'),
        },
        {
          says: t('Or this, which also reports containers and units of systemd:'),
          copy: `curl -fsSL ${script} | sh -s -- --containers --units`,
          label: t('line with containers and units'),
        },
      ],
      uninstall: `curl -fsSL ${script} | sh -s -- --uninstall`,
    },
    wget: {
      label: 'wget',
      lines: [
        {
          says: t('Run this on a machine without curl, as root where you can:'),
          copy: `wget -qO- ${script} | sh`,
          label: t('install line'),
        },
      ],
      uninstall: `wget -qO- ${script} | sh -s -- --uninstall`,
    },
    steps: {
      label: t('Read first'),
      lines: [
        { says: t('Download the script:'), copy: `curl -fsSL ${script} -o ${SCRIPT}`, label: t('download') },
        {
          says: t('Compare its sum with the one below, and read it:'),
          copy: [
            ...(sha256 ? [`echo "${sha256}  ${SCRIPT}" | sha256sum -c`] : [`sha256sum ${SCRIPT}`]),
            `less ${SCRIPT}`,
          ].join('\n'),
          label: t('check'),
        },
        { says: t('Run it, as root where you can:'), copy: `sh ${SCRIPT}`, label: t('run') },
      ],
      uninstall: `sh ${SCRIPT} --uninstall`,
    },
    windows: {
      label: t('Windows'),
      lines: [
        {
          says: t('Run this in PowerShell as administrator:'),
          copy: [`irm ${script}.ps1 -OutFile ${WINDOWS_SCRIPT}`, `${POWERSHELL} ${WINDOWS_SCRIPT}`].join(
            '\n',
          ),
          label: t('install lines'),
        },
      ],
      uninstall: `${POWERSHELL} ${WINDOWS_SCRIPT} -Uninstall`,
    },
    opentelemetry: {
      label: 'OpenTelemetry',
      lines: [
        {
          says: t(
            'Endpoint of an OTLP/HTTP exporter, for the Collector with hostmetrics, Alloy or Proxmox VE:',
          ),
          copy: address,
          label: t('OTLP endpoint'),
        },
        {
          says: t('For exporters that want the whole path:'),
          copy: `${address}/v1/metrics`,
          label: t('OTLP path'),
        },
      ],
      uninstall: null,
    },
    telegraf: {
      label: t('Telegraf'),
      lines: [
        {
          says: t('An output for Telegraf; other senders of Influx lines take the same address:'),
          copy: [
            '[[outputs.influxdb_v2]]',
            `  urls = ["${address}"]`,
            '  organization = "upbeat"',
            '  bucket = "upbeat"',
          ].join('\n'),
          label: t('Telegraf output'),
        },
      ],
      uninstall: null,
    },
    prometheus: {
      label: t('Prometheus'),
      lines: [
        {
          says: t('Remote write of a Prometheus agent or vmagent that scrapes node_exporter:'),
          copy: ['remote_write:', `  - url: ${address}/api/v1/write`].join('\n'),
          label: t('remote write'),
        },
      ],
      uninstall: null,
    },
  }
}
