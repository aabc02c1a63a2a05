import { t } from '../../language/language.ts'

const START = posted('start?minutes=15')
const STOP = posted('stop')

function posted(what: string): string {
  return `curl -fsS -m 10 --retry 3 -X POST "$MAINTENANCE_URL/${what}"`
}

/** The part that both addresses have in common: a script keeps it as one secret. */
export function maintenanceUrl({ start }: { start: string }): string {
  return start.replace(/\/start$/, '')
}

/** How scripts turn a switch on before their work, and off after it however it went. docs/maintenance.md has more of each. */
export const SWITCH_EXAMPLES = [
  {
    title: t('Shell script'),
    text: [START, [`trap '${STOP}'`, 'EXIT'].join(' '), './deploy'].join('\n'),
  },
  {
    title: t('GitHub Actions'),
    text: [
      'env:',
      `  MAINTENANCE_URL: ${'${{'} secrets.MAINTENANCE_URL }}`,
      'steps:',
      '  - name: Begin maintenance',
      `    run: ${START}`,
      '  - name: Deploy',
      '    run: ./deploy',
      '  - name: End maintenance',
      '    if: always()',
      `    run: ${STOP}`,
    ].join('\n'),
  },
  {
    title: t('GitLab CI'),
    text: [
      'deploy:',
      '  script:',
      `    - ${START}`,
      '    - ./deploy',
      '  after_script:',
      `    - ${STOP}`,
    ].join('\n'),
  },
  { title: t('Ansible'), text: ansible() },
]

function ansible(): string {
  const turn = (what: string) => [
    '    - ansible.builtin.uri:',
    `        url: "{{ maintenance_url }}/${what}"`,
    '        method: POST',
    '        status_code: 204',
    '      delegate_to: localhost',
    '      run_once: true',
  ]
  return [
    '- block:',
    ...turn('start?minutes=15'),
    '    - ansible.builtin.command: ./deploy',
    '  always:',
    ...turn('stop'),
  ].join('\n')
}
