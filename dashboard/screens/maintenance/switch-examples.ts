const CURL = 'curl -fsS -m 10 --retry 5 -X POST'

/** How scripts and pipelines turn a switch on before their work and off after it, whether it went well or not. */
export function switchExamples({ start, stop }: { start: string; stop: string }) {
  return [
    {
      title: 'Shell, off again however the script ends',
      text: [`${CURL} ${start}`, `trap '${CURL} ${stop}' EXIT`, './deploy.sh'].join('\n'),
    },
    {
      title: 'curl, for 20 minutes',
      text: `${CURL} '${start}?minutes=20'`,
    },
    {
      title: 'GitHub Actions',
      text: [
        '- name: Start maintenance',
        `  run: ${CURL} ${start}`,
        '- name: Deploy',
        '  run: ./deploy.sh',
        '- name: End maintenance',
        '  if: always()',
        `  run: ${CURL} ${stop}`,
      ].join('\n'),
    },
    {
      title: 'GitLab CI',
      text: [
        'deploy:',
        '  before_script:',
        `    - ${CURL} ${start}`,
        '  script:',
        '    - ./deploy.sh',
        '  after_script:',
        `    - ${CURL} ${stop}`,
      ].join('\n'),
    },
    {
      title: 'Ansible',
      text: [
        'pre_tasks:',
        '  - ansible.builtin.uri:',
        `      url: ${start}`,
        '      method: POST',
        '      status_code: 204',
        '    delegate_to: localhost',
        '    run_once: true',
        'post_tasks:',
        '  - ansible.builtin.uri:',
        `      url: ${stop}`,
        '      method: POST',
        '      status_code: 204',
        '    delegate_to: localhost',
        '    run_once: true',
      ].join('\n'),
    },
  ]
}
