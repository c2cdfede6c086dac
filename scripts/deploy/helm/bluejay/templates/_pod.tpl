{{/* The part of a pod's specification that all pods share: the `restricted` level of Pod Security, and no access to the
API of Kubernetes. */}}
{{- define "bluejay.pod" -}}
{{- $pods := .root.Values.pods -}}
serviceAccountName: {{ .serviceAccount }}
automountServiceAccountToken: false
enableServiceLinks: false
securityContext:
  runAsNonRoot: true
  runAsUser: {{ $pods.user | int64 }}
  runAsGroup: {{ $pods.user | int64 }}
  fsGroup: {{ $pods.user | int64 }}
  fsGroupChangePolicy: OnRootMismatch
  seccompProfile: { type: RuntimeDefault }
{{- with .root.Values.image.pullSecrets }}
imagePullSecrets: {{ toYaml . | nindent 2 }}
{{- end }}
{{- with $pods.nodeSelector }}
nodeSelector: {{ toYaml . | nindent 2 }}
{{- end }}
{{- with $pods.tolerations }}
tolerations: {{ toYaml . | nindent 2 }}
{{- end }}
{{- with $pods.affinity }}
affinity: {{ toYaml . | nindent 2 }}
{{- end }}
{{- with $pods.priorityClassName }}
priorityClassName: {{ . }}
{{- end }}
volumes:
  # On disk, because a folder in memory counts as memory of the container.
  - { name: tmp, emptyDir: { sizeLimit: {{ .temporaryFiles }} } }
{{- if eq (include "bluejay.secretsAs" .) "files" }}
  - name: secrets
    secret:
      secretName: {{ .root.Values.secret.name }}
      defaultMode: 0440
      items:
{{- range $key := splitList " " (include "bluejay.secretKeys" .) }}
        - { key: {{ $key }}, path: {{ $key }} }
{{- end }}
{{- end }}
{{- if eq .part "workers" }}
{{- with .root.Values.hotFolder.claim }}
  - { name: press, persistentVolumeClaim: { claimName: {{ . }} } }
{{- end }}
{{- with .root.Values.carrierFolder.claim }}
  - { name: carriers, persistentVolumeClaim: { claimName: {{ . }} } }
{{- end }}
{{- end }}
{{- end }}

{{/* The part of a container's specification that all containers share. */}}
{{- define "bluejay.container" -}}
image: {{ include "bluejay.image" .root }}
imagePullPolicy: {{ .root.Values.image.pullPolicy }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: { drop: [ALL] }
env: {{ include "bluejay.environment" . | nindent 2 }}
volumeMounts:
  - { name: tmp, mountPath: /tmp }
{{- if eq (include "bluejay.secretsAs" .) "files" }}
  - { name: secrets, mountPath: /run/secrets/bluejay, readOnly: true }
{{- end }}
{{- if eq .part "workers" }}
{{- if .root.Values.hotFolder.claim }}
  - { name: press, mountPath: /press }
{{- end }}
{{- if .root.Values.carrierFolder.claim }}
  - { name: carriers, mountPath: /carriers }
{{- end }}
{{- end }}
{{- end }}
