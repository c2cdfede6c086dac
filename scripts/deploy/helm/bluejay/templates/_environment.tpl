{{/* A whole number without exponent, because Helm reads all numbers of YAML as floats; other values as they are. */}}
{{- define "bluejay.text" -}}
{{- if and (kindIs "float64" .) (eq (toString (floor .)) (toString .)) }}{{ int64 . }}{{ else }}{{ . }}{{ end }}
{{- end }}

{{- define "bluejay.secretKeys" -}}
MONGODB_URI REDIS_URL S3_ACCESS_KEY_ID S3_SECRET_ACCESS_KEY
{{- if ne .part "render" }} ENCRYPTION_KEYS{{ end }}
{{- if .root.Values.secret.sessionToken }} S3_SESSION_TOKEN{{ end }}
{{- if .root.Values.secret.sentinelPassword }} REDIS_SENTINEL_PASSWORD{{ end }}
{{- if .root.Values.secret.otlpHeaders }} OTEL_EXPORTER_OTLP_HEADERS{{ end }}
{{- if and .root.Values.secret.smtp (ne .part "render") }} SMTP_URL{{ end }}
{{- end }}

{{/* `render` always gets variables: the processes in which it opens customers' documents do not see them, while native
code there could read files. */}}
{{- define "bluejay.secretsAs" -}}
{{- if eq .part "render" }}variables{{ else }}{{ .root.Values.secret.as }}{{ end }}
{{- end }}

{{/* The environment of a part. It is in the pod's template, so each change of a value restarts the pods. */}}
{{- define "bluejay.environment" -}}
{{- $values := .root.Values -}}
- { name: NODE_ENV, value: production }
{{- if eq .part "workers" }}
- { name: WORKERS, value: {{ include "bluejay.workers" . | quote }} }
{{- else if eq .part "render" }}
- { name: WORKERS, value: render }
{{- end }}
{{- /* Every process checks that these are set. Only `workers` mounts and opens the folders. */}}
{{- if $values.hotFolder.claim }}
- { name: HOT_FOLDER, value: /press }
{{- end }}
{{- if $values.carrierFolder.claim }}
- { name: CARRIER_FOLDER, value: /carriers }
{{- end }}
{{- if and $values.ingress.enabled (not (hasKey $values.config "TRUST_PROXY")) }}
- { name: TRUST_PROXY, value: '1' }
{{- end }}
{{- range $name, $value := $values.config }}
{{- if not (kindIs "invalid" $value) }}
- { name: {{ $name }}, value: {{ include "bluejay.text" $value | quote }} }
{{- end }}
{{- end }}
{{- range $key := splitList " " (include "bluejay.secretKeys" .) }}
{{- if eq (include "bluejay.secretsAs" $) "files" }}
- { name: {{ $key }}_FILE, value: /run/secrets/bluejay/{{ $key }} }
{{- else }}
- { name: {{ $key }}, valueFrom: { secretKeyRef: { name: {{ $values.secret.name }}, key: {{ $key }} } } }
{{- end }}
{{- end }}
{{- end }}
