{{- define "spate.name" -}}
{{- .Release.Name | trunc 50 | trimSuffix "-" }}-spate
{{- end }}
{{- define "spate.image" -}}
{{- printf "%s:%s" .Values.image.repository (.Values.image.tag | default .Chart.AppVersion) | quote }}
{{- end }}
{{- define "spate.labels" -}}
app.kubernetes.io/name: spate
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}
{{- define "spate.settings" -}}
{{- $instance := "/var/lib/spate/instance" }}
{{- $startup := ternary (printf "%s/startup.yml" $instance) "/etc/spate/startup/startup.yml" (empty .Values.startup) }}
{{- $path := dict "startup" $startup "generators_dir" (printf "%s/generators" $instance) "state" (printf "%s/state" $instance) "logs" (printf "%s/logs" $instance) "keyring_cryptfile" (printf "%s/keyring.crypt" $instance) }}
{{- $server := merge (dict "host" "0.0.0.0" "port" 9474) (.Values.settings.server | default dict) }}
{{- merge (dict "server" $server "path" $path) .Values.settings | toYaml }}
{{- end }}
