import { join } from 'node:path'
import { testWebhookReceiver } from '../support/servers/webhook-receivers.ts'

testWebhookReceiver({
  lang: 'php',
  file: 'webhook.php',
  driver: {
    'driver.php': `<?php
require __DIR__ . '/webhook.php';
foreach (file('php://stdin') as $line) {
    $asked = json_decode($line, true);
    try {
        echo verify_webhook($asked['secret'], $asked['headers'], $asked['body'])['name'], "\\n";
    } catch (RuntimeException) {
        echo "refused\\n";
    }
}
`,
  },
  command: (folder) => ['php', join(folder, 'driver.php')],
})
