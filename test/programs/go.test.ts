import { join } from 'node:path'
import { testWebhookReceiver } from '../support/servers/webhook-receivers.ts'

testWebhookReceiver({
  lang: 'go',
  file: 'webhook/webhook.go',
  driver: {
    'main.go': `package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"

	"example.com/receiver/webhook"
)

func main() {
	decoder := json.NewDecoder(os.Stdin)
	for decoder.More() {
		var asked struct {
			Secret  string
			Headers map[string]string
			Body    string
		}
		if err := decoder.Decode(&asked); err != nil {
			panic(err)
		}
		header := http.Header{}
		for name, value := range asked.Headers {
			header.Set(name, value)
		}
		var alert struct{ Name string }
		if webhook.Verify(asked.Secret, header, []byte(asked.Body)) != nil {
			fmt.Println("refused")
		} else if err := json.Unmarshal([]byte(asked.Body), &alert); err == nil {
			fmt.Println(alert.Name)
		}
	}
}
`,
    'go.mod': 'module example.com/receiver\n\ngo 1.19\n',
  },
  command: () => ['go', 'run', '.'],
  env: (folder) => ({ GOCACHE: join(folder, 'cache'), GOFLAGS: '-mod=mod', GOTOOLCHAIN: 'local' }),
})
