{{- define "footbridge.labels" -}}
app.kubernetes.io/name: footbridge
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "footbridge.secret" -}}
{{- if .Values.secret.existing -}}
{{ .Values.secret.existing }}
{{- else -}}
{{ .Release.Name }}
{{- end -}}
{{- end -}}
