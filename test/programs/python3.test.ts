import { join } from 'node:path'
import { testWebhookReceiver } from '../support/servers/webhook-receivers.ts'

testWebhookReceiver({
  lang: 'python',
  file: 'webhook.py',
  driver: {
    'driver.py': `import json, sys
from webhook import verify_webhook
sys.stdout.reconfigure(encoding="utf-8")
for line in sys.stdin.buffer:
    asked = json.loads(line)
    try:
        print(verify_webhook(asked["secret"], asked["headers"], asked["body"].encode())["name"])
    except ValueError:
        print("refused")
`,
  },
  command: (folder) => ['python3', '-B', join(folder, 'driver.py')],
})
